import { describe, expect, it } from 'vitest';
import { ApiError } from '../../src/api/error.ts';
import { draftsOf } from '../../src/review/model/drafts.ts';
import { readGuest, rememberGuest } from '../../src/review/model/guest.ts';
import { hasArrived, merged, withoutComment } from '../../src/review/model/merge.ts';
import { afterSending, nextToSend, outboxKey, pause, readOutbox, settled, writeOutbox } from '../../src/review/model/outbox.ts';
import { addressesIn, everybody, participantAt } from '../../src/review/model/people.ts';
import { ANA, BO, comment, entry, memory } from './samples.ts';

describe('the outbox', () => {
  it('is the same after a reload', () => {
    const storage = memory();
    const key = outboxKey('p1', ANA.uid);
    const entries = [entry('key-00001'), entry('key-00002', { replyTo: 'c1', position: null })];
    expect(writeOutbox(storage, key, entries)).toBe(true);
    expect(readOutbox(storage, key)).toEqual(entries);
    expect(readOutbox(storage, outboxKey('p1', BO.uid))).toEqual([]);
  });

  it('leaves out what somebody else wrote there', () => {
    const storage = memory();
    storage.setItem('x', JSON.stringify([entry('key-00001'), { key: 'short' }, 7, { ...entry('key-00002'), body: 3 }]));
    expect(readOutbox(storage, 'x').map(({ key }) => key)).toEqual(['key-00001']);
    storage.setItem('x', 'no json');
    expect(readOutbox(storage, 'x')).toEqual([]);
  });

  it('says when the browser keeps nothing', () => {
    expect(writeOutbox(memory(10), 'x', [entry('key-00001')])).toBe(false);
  });

  it('loses an entry only when the server has it', () => {
    const entries = [entry('key-00001'), entry('key-00002')];
    expect(afterSending(entries, 'key-00001', { is: 'later', seconds: null })).toEqual(entries);
    expect(afterSending(entries, 'key-00001', { is: 'signed-out' })).toEqual(entries);
    expect(afterSending(entries, 'key-00001', { is: 'done' }).map(({ key }) => key)).toEqual(['key-00002']);
    const refused = afterSending(entries, 'key-00001', { is: 'refused', reason: 'Too long' });
    expect(refused[0]).toMatchObject({ key: 'key-00001', body: 'New', refused: 'Too long' });
    // It waits for its writer; the next one goes.
    expect(nextToSend(refused)?.key).toBe('key-00002');
  });

  it('gives up an entry that the server fails over: the writer is told, the others go', () => {
    const entries = [entry('key-00001'), entry('key-00002')];
    const failed = { is: 'failed', reason: 'It broke.' } as const;
    expect([0, 1, 2].map((before) => settled(failed, before).is)).toEqual(['later', 'later', 'refused']);
    expect(settled({ is: 'later', seconds: 7 }, 9)).toEqual({ is: 'later', seconds: 7 });
    const left = afterSending(entries, 'key-00001', settled(failed, 2));
    expect(left[0]).toMatchObject({ key: 'key-00001', refused: 'It broke.' });
    expect(nextToSend(left)?.key).toBe('key-00002');
  });

  it('tries again after 1, 2, 4 … 30 seconds, or when the server asks', () => {
    expect([1, 2, 3, 4, 5, 6, 20].map((failures) => pause(failures))).toEqual([1, 2, 4, 8, 16, 30, 30]);
    expect(pause(1, 12)).toBe(12);
    expect(pause(6, 12)).toBe(30);
  });
});

describe('what a failed request means', () => {
  it('is told apart', async () => {
    // The client looks for the page's key.
    globalThis.document = { querySelector: () => null } as unknown as Document;
    globalThis.location = { search: '' } as Location;
    globalThis.matchMedia = (() => ({ matches: false, addEventListener: () => undefined })) as unknown as typeof matchMedia;
    const { whatCame } = await import('../../src/review/sending.ts');
    expect(whatCame(new ApiError('offline', 'x'))).toEqual({ is: 'later', seconds: null });
    expect(whatCame(new ApiError('busy', 'x', { status: 429, retryAfter: 7 }))).toEqual({ is: 'later', seconds: 7 });
    expect(whatCame(new ApiError('refused', 'x', { status: 502 }))).toEqual({ is: 'later', seconds: null });
    expect(whatCame(new ApiError('refused', 'It broke.', { status: 500 }))).toEqual({ is: 'failed', reason: 'It broke.' });
    expect(whatCame(new ApiError('refused', 'Too long', { status: 400 }))).toEqual({ is: 'refused', reason: 'Too long' });
    expect(whatCame(new ApiError('signed-out', 'x', { status: 401 }))).toEqual({ is: 'signed-out' });
    // A session that ended must not become a guest's comment: the server refuses the account's name.
    expect(whatCame(new ApiError('refused', '`author.uid` must start with `viewer:`', { status: 400 }))).toEqual({ is: 'signed-out' });
  });
});

describe('what people see', () => {
  it('is what the server has and what is on its way', () => {
    const shown = merged([comment(1), comment(2)], [entry('key-00001'), entry('key-00002', { replyTo: 'c2', body: 'Answer' })], ANA);
    expect(shown.map(({ id }) => id)).toEqual(['c1', 'c2', 'pending:key-00001']);
    expect(shown[2]).toMatchObject({ number: 3, body: 'New', author: ANA });
    expect(shown[1]?.replies.map(({ body }) => body)).toEqual(['Answer']);
  });

  it('never shows one thing twice when only the answer was lost', () => {
    const arrived = comment(3, { clientKey: 'key-00001' });
    expect(hasArrived([arrived], entry('key-00001'), ANA)).toBe(true);
    // Somebody else's key is somebody else's.
    expect(hasArrived([arrived], entry('key-00001'), BO)).toBe(false);
    expect(merged([arrived], [entry('key-00001')], ANA)).toHaveLength(1);
  });
});

describe('drafts and guests', () => {
  it('survive a reload', () => {
    const storage = memory();
    draftsOf(storage, 'p1', 'ana').write('reply:c1', 'half a sen');
    expect(draftsOf(storage, 'p1', 'ana').read('reply:c1')).toBe('half a sen');
    expect(draftsOf(storage, 'p2', 'ana').read('reply:c1')).toBe('');
    // What somebody types is theirs: the next account in this browser begins with an empty field, and so does a guest.
    for (const other of ['bo', null]) expect(draftsOf(storage, 'p1', other).read('reply:c1')).toBe('');
    draftsOf(storage, 'p1', 'ana').write('reply:c1', '');
    expect(storage.all.size).toBe(0);
  });

  it('are found when the comment they answer is gone', () => {
    const storage = memory();
    for (const [project, place] of [['p1', 'reply:c1'], ['p1', 'new'], ['p2', 'reply:c2']] as const) draftsOf(storage, project, 'ana').write(place, 'half a sen');
    expect(draftsOf(storage, 'p1', 'ana').answered()).toEqual(['c1']);
    const entries = [entry('key-00001'), entry('key-00002', { replyTo: 'c1' }), entry('key-00003', { replyTo: 'c2' })];
    expect(withoutComment([comment(2)], entries).map(({ key }) => key)).toEqual(['key-00002']);
  });

  it('a guest is asked once, and stays the same when renamed', () => {
    const storage = memory();
    expect(rememberGuest(storage, ' \u200b ', () => '12345678')).toBe(null);
    const first = rememberGuest(storage, ' Nia\n N. ', () => '12345678');
    expect(first).toEqual({ uid: 'viewer:12345678', displayName: 'Nia N.' });
    expect(readGuest(storage)).toEqual(first);
    expect(rememberGuest(storage, 'Nia', () => 'another-id')?.uid).toBe('viewer:12345678');
    storage.setItem('galley:guest', '{"uid":"user:admin","displayName":"x"}');
    expect(readGuest(storage)).toBe(null);
  });
});

describe('people to mention', () => {
  it('can be named by their mail address', () => {
    expect(addressesIn('Ask @ana@example.org, @Bo@Example.org. Not a@b.org', ['user:1', 'mail:cy@example.org'])).toEqual(['ana@example.org', 'bo@example.org', 'cy@example.org']);
  });

  it('are found by their mail address in the directory', () => {
    const directory = [{ id: 'user:1', displayName: 'Bo', status: 'active' }, { id: 'p_1', displayName: 'ana', status: 'pending', email: 'ana@example.org' }];
    expect(participantAt(directory, 'Ana@example.org')).toBe('p_1');
    expect(participantAt(directory, 'cy@example.org')).toBe(null);
  });

  it('are each there once', () => {
    const people = everybody([{ id: 'user:1', displayName: 'Ana', status: 'active', email: 'ANA@example.org' }], [{ displayName: 'Ana', email: 'ana@example.org' }, { displayName: 'Bo', email: 'bo@example.org' }]);
    expect(people.map(({ id }) => id)).toEqual(['user:1', 'mail:bo@example.org']);
  });
});
