import { describe, expect, it } from '@jest/globals';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { codeOf } from '../../../test/support/code-of.js';
import { memoryPendingSteps } from '../../../test/support/memory-pending-steps.js';
import { anActor } from '../../../test/support/people.js';
import type { Env } from '../../config/env.js';
import type { Actor } from '../../base/access/current-actor.js';
import { FlowStates } from './flow-state.js';
import type { IdentityProvider } from '../../base/access/identity-providers.js';

/** A browser keeps the cookie it is sent. */
function browser() {
  const cookies: Record<string, string> = {};
  const request = {
    protocol: 'https',
    basePath: '',
    headers: {
      get cookie() {
        return Object.entries(cookies)
          .map(([name, value]) => `${name}=${value}`)
          .join('; ');
      },
    },
    server: { parseCookie: () => cookies },
    unsignCookie: (value: string) => ({ valid: true, value }),
  } as unknown as FastifyRequest;
  const reply = {
    setCookie: (name: string, value: string) => void (cookies[name] = value),
  } as unknown as FastifyReply;
  return { request, reply };
}

const flows = () => new FlowStates(memoryPendingSteps(), { sessionSecret: 's'.repeat(32) } as Env);
const wanted = (provider: IdentityProvider | null) => ({ provider, aff: 'code', isProven: true });

describe('FlowStates', () => {
  it('returns the flow that was begun in this browser, once', async () => {
    const [states, own] = [flows(), browser()];
    const state = await states.begin(wanted('github'), null, own);
    expect(await states.consume(state, 'github', own.request, null)).toMatchObject({
      intent: 'login',
      aff: 'code',
      userId: null,
    });
    expect(await codeOf(states.consume(state, 'github', own.request, null))).toBe('identity_state_invalid');
  });

  it('names the cookie of the browser for this very host behind TLS', async () => {
    const own = browser();
    await flows().begin(wanted('github'), null, own);
    expect(own.request.headers.cookie).toMatch(/^__Host-identity=/);
  });

  it('binds to the account and the login of the request', async () => {
    const [states, own] = [flows(), browser()];
    const state = await states.begin(wanted('github'), anActor(), own);
    expect(await states.consume(state, 'github', own.request, anActor())).toMatchObject({
      intent: 'bind',
      userId: 7,
    });
  });

  it.each<[string, Actor | null]>([
    ['nobody is signed in any more', null],
    ['another account is', anActor({ id: 8 })],
    ['another login of the account is', anActor({ sessionDigest: 'other' })],
  ])('binds nothing when %s', async (_, actor) => {
    const [states, own] = [flows(), browser()];
    const state = await states.begin(wanted('github'), anActor(), own);
    expect(await codeOf(states.consume(state, 'github', own.request, actor))).toBe('identity_state_invalid');
  });

  it('refuses a state in another browser, and uses it up by that', async () => {
    const [states, own, other] = [flows(), browser(), browser()];
    await states.begin(wanted('github'), null, other);
    const state = await states.begin(wanted('github'), null, own);
    expect(await codeOf(states.consume(state, 'github', other.request, null))).toBe('identity_state_invalid');
    expect(await codeOf(states.consume(state, 'github', own.request, null))).toBe('identity_state_invalid');
  });

  it('refuses a state of another provider, unless none was named', async () => {
    const [states, own] = [flows(), browser()];
    const named = await states.begin(wanted('github'), null, own);
    expect(await codeOf(states.consume(named, 'oidc', own.request, null))).toBe('identity_state_invalid');
    const open = await states.begin(wanted(null), null, own);
    expect(await codeOf(states.consume(open, 'oidc', own.request, null))).toBe('done');
  });

  it('refuses a state that was never issued, and a browser without a cookie', async () => {
    const [states, own] = [flows(), browser()];
    const state = await states.begin(wanted('github'), null, own);
    expect(await codeOf(states.consume('', 'github', own.request, null))).toBe('identity_state_invalid');
    expect(await codeOf(states.consume('guess', 'github', own.request, null))).toBe('identity_state_invalid');
    expect(await codeOf(states.consume(state, 'github', browser().request, null))).toBe(
      'identity_state_invalid',
    );
  });

  it('makes verifier and nonce of a state by the secret of this installation', () => {
    const { verifier, nonce } = flows().proofOf('state');
    expect(flows().proofOf('state')).toEqual({ verifier, nonce });
    const other = new FlowStates(memoryPendingSteps(), { sessionSecret: 't'.repeat(32) } as Env).proofOf(
      'state',
    );
    expect(
      new Set([verifier, nonce, other.verifier, other.nonce, flows().proofOf('other').verifier]).size,
    ).toBe(5);
  });
});
