import { describe, expect, it } from 'vitest';
import { permitted } from './requests.ts';

const REQUESTS = ['GET /api/v1/projects/{project}/approvals', 'PUT /api/v1/projects/{project}/approvals/{deployment}', 'GET /api/v1/x/notes'];
const get = (path: unknown, project: string | null = 'p1') => permitted(REQUESTS, 'GET', path, project)?.path ?? null;

describe('what a part may ask for', () => {
  it('is what its plugin serves, in the project around it', () => {
    expect(get('/api/v1/projects/p1/approvals')).toBe('/projects/p1/approvals');
    expect(get('/api/v1/projects/p1/approvals?deployment=d1')).toBe('/projects/p1/approvals?deployment=d1');
    expect(get('/api/v1/projects/p2/approvals')).toBeNull();
    expect(get('/api/v1/projects/p2/approvals', null)).toBe('/projects/p2/approvals');
    expect(permitted(REQUESTS, 'PUT', '/api/v1/projects/p1/approvals/d%201', 'p1')).toEqual({ method: 'PUT', path: '/projects/p1/approvals/d%201' });
  });

  it.each([
    '/api/v1/me',
    '/api/v1/projects/p1/approvals/d1',
    '/api/v1/x/notes/../../me',
    '/api/v1/x/notes/..%2f..%2fme',
    '/api/v1/x/%2e%2e/me',
    '/api/v1/../x/notes',
    '//evil.example/api/v1/x/notes',
    'https://evil.example/api/v1/x/notes',
    '/api/v1/x/notes#top',
    '/api/v1\\x\\notes',
    '/api/v1/x/notes ',
    '',
    undefined,
    {},
  ])('is not %j', (path) => expect(get(path)).toBeNull());

  it('is of the methods that were named', () => {
    expect(permitted(REQUESTS, 'DELETE', '/api/v1/x/notes', null)).toBeNull();
    expect(permitted(REQUESTS, 'get', '/api/v1/x/notes', null)).toBeNull();
    expect(permitted(REQUESTS, ['GET'], '/api/v1/x/notes', null)).toBeNull();
    expect(permitted(['TRACE /api/v1/x/notes'], 'TRACE', '/api/v1/x/notes', null)).toBeNull();
  });
});
