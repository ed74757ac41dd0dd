/** Administration of the instance: accounts, invites, domains, settings, mail, audit. Plugins are in `plugins.ts`. */
import * as v from 'valibot';
import { ask } from './client.ts';

const RoleSchema = v.picklist(['viewer', 'editor', 'admin']);
export type Role = v.InferOutput<typeof RoleSchema>;

const AccountSchema = v.object({ userId: v.string(), email: v.string(), displayName: v.string(), role: RoleSchema, removed: v.boolean(), createdAt: v.string() });
export type Account = v.InferOutput<typeof AccountSchema>;

const InviteSchema = v.object({
  id: v.string(),
  email: v.string(),
  role: RoleSchema,
  state: v.picklist(['pending', 'used', 'revoked', 'expired']),
  createdAt: v.string(),
  expiresAt: v.string(),
  emailed: v.boolean(),
});
export type Invite = v.InferOutput<typeof InviteSchema>;
const NewInviteSchema = v.object({ ...InviteSchema.entries, url: v.string() });
/** An invite with its link, which is told once. */
export type NewInvite = v.InferOutput<typeof NewInviteSchema>;

const LinkSchema = v.object({ url: v.string(), expiresAt: v.string() });
export type Link = v.InferOutput<typeof LinkSchema>;

const DomainRuleSchema = v.object({ domain: v.string(), role: RoleSchema });
export type DomainRule = v.InferOutput<typeof DomainRuleSchema>;

const MailSchema = v.object({
  configured: v.boolean(),
  source: v.picklist(['environment', 'database', 'none']),
  host: v.nullish(v.string()),
  port: v.nullish(v.number()),
  user: v.nullish(v.string()),
  from: v.nullish(v.string()),
  hasPassword: v.boolean(),
});
export type Mail = v.InferOutput<typeof MailSchema>;
const SettingsSchema = v.object({ allowPublicLinks: v.boolean(), allowAnonymousComments: v.boolean(), email: MailSchema });
export type InstanceSettings = v.InferOutput<typeof SettingsSchema>;

const EntrySchema = v.object({
  id: v.string(),
  at: v.string(),
  actor: v.object({ kind: v.string(), userId: v.nullish(v.string()), email: v.nullish(v.string()) }),
  action: v.string(),
  subject: v.string(),
  details: v.record(v.string(), v.unknown()),
});
export type AuditEntry = v.InferOutput<typeof EntrySchema>;
const AuditSchema = v.object({ entries: v.array(EntrySchema), next: v.nullish(v.string()) });
export type AuditPage = v.InferOutput<typeof AuditSchema>;

const part = encodeURIComponent;

export async function listAccounts(signal?: AbortSignal): Promise<Account[]> {
  return (await ask(v.object({ members: v.array(AccountSchema) }), '/instance/members', { signal })).members;
}
export function changeRole(userId: string, role: Role): Promise<Account> {
  return ask(AccountSchema, `/instance/members/${part(userId)}`, { method: 'PATCH', body: { role } });
}
export function removeAccount(userId: string): Promise<unknown> {
  return ask(v.unknown(), `/instance/members/${part(userId)}`, { method: 'DELETE' });
}
export function restoreAccount(userId: string): Promise<Account> {
  return ask(AccountSchema, `/instance/members/${part(userId)}/restore`, { method: 'POST' });
}
export function makeSignInLink(userId: string): Promise<Link> {
  return ask(LinkSchema, `/instance/members/${part(userId)}/signin-link`, { method: 'POST' });
}
export function revokeTokensOf(userId: string): Promise<unknown> {
  return ask(v.unknown(), `/admin/users/${part(userId)}/tokens/revoke-all`, { method: 'POST' });
}

export async function listInvites(signal?: AbortSignal): Promise<Invite[]> {
  return (await ask(v.object({ invites: v.array(InviteSchema) }), '/instance/invites', { signal })).invites;
}
export function makeInvite(email: string, role: Role): Promise<NewInvite> {
  return ask(NewInviteSchema, '/instance/invites', { method: 'POST', body: { email, role } });
}
export function regenerateInvite(id: string): Promise<NewInvite> {
  return ask(NewInviteSchema, `/instance/invites/${part(id)}/regenerate`, { method: 'POST' });
}
export function revokeInvite(id: string): Promise<unknown> {
  return ask(v.unknown(), `/instance/invites/${part(id)}`, { method: 'DELETE' });
}

export async function listDomainRules(signal?: AbortSignal): Promise<DomainRule[]> {
  return (await ask(v.object({ domainRules: v.array(DomainRuleSchema) }), '/instance/domain-rules', { signal })).domainRules;
}
export function setDomainRule(domain: string, role: Role): Promise<DomainRule> {
  return ask(DomainRuleSchema, `/instance/domain-rules/${part(domain)}`, { method: 'PUT', body: { role } });
}
export function deleteDomainRule(domain: string): Promise<unknown> {
  return ask(v.unknown(), `/instance/domain-rules/${part(domain)}`, { method: 'DELETE' });
}

export function getInstanceSettings(signal?: AbortSignal): Promise<InstanceSettings> {
  return ask(SettingsSchema, '/instance/settings', { signal });
}
export function changeInstanceSettings(change: { allowPublicLinks?: boolean; allowAnonymousComments?: boolean }): Promise<InstanceSettings> {
  return ask(SettingsSchema, '/instance/settings', { method: 'PATCH', body: change });
}

export interface WantedMail {
  host: string;
  port: number;
  user: string;
  pass: string;
  from: string;
}
export function setMail(wanted: WantedMail): Promise<Mail> {
  return ask(MailSchema, '/instance/email', { method: 'PUT', body: wanted });
}
export function deleteMail(): Promise<unknown> {
  return ask(v.unknown(), '/instance/email', { method: 'DELETE' });
}
/** Sends a test mail to oneself; answers with what the mail server said. */
export function testMail(): Promise<{ sent: boolean; error?: string | undefined }> {
  return ask(v.object({ sent: v.boolean(), error: v.optional(v.string()) }), '/instance/mail/test', { method: 'POST', body: {} });
}

export function readAudit(before: string | null, signal?: AbortSignal): Promise<AuditPage> {
  return ask(AuditSchema, '/instance/audit', { query: { before, limit: 100 }, signal });
}
