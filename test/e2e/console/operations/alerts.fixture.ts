import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { AlertEvaluator } from '../../../../server/console/operations/alerts/alert-evaluator.js';
import type { AlertView } from '../../../../server/console/operations/dto/alert.dto.js';
import type { OperationsStatusView } from '../../../../server/console/operations/dto/status.dto.js';
import { WorkerReporter } from '../../../../server/console/operations/fleet/worker-reporter.js';
import type { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { makeCertificate } from '../../../support/certificate.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import type { ShiftedClock } from '../../../support/shifted-clock.ts';
import { type MailServer, mailOptions, startMailServer } from '../../../support/mail-server.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../../support/webhook-receiver.ts';

export const RECEIVER = 'oncall@example.test';
export const HOOK_SECRET = 'secret-of-the-hook';

/** A gateway with alerts, and their recipients. */
export interface AlertsFixture {
  readonly app: TestApp;
  readonly root: ApiClient;
  readonly clock: FakeClock | ShiftedClock;
  readonly mail: MailServer;
  readonly hook: WebhookReceiver;
  /** Advances the clock, publishes this worker's state, and evaluates once. */
  look(afterMs?: number): Promise<void>;
  /** Types of the webhook calls so far. */
  told(): string[];
  status(): Promise<OperationsStatusView>;
  alerts(): Promise<readonly AlertView[]>;
  set(options: Readonly<Record<string, unknown>>): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param env    where it keeps its data; by default SQLite, in one process
 * @param clock  one that runs by itself where servers are waited for
 */
export async function startAlertsFixture(
  env: Readonly<Record<string, string>> = {},
  clock: FakeClock | ShiftedClock = new FakeClock(Date.now()),
): Promise<AlertsFixture> {
  const certificate = makeCertificate();
  setDefaultCACertificates([...getCACertificates('default'), certificate.cert]);
  const mail = await startMailServer();
  const hook = await startWebhookReceiver(certificate);
  const app = await startTestApp({
    clock,
    env: {
      ALLOWED_PRIVATE_HOSTS: '127.0.0.1,localhost',
      SERVER_ADDRESS: 'https://gate.example',
      ...env,
    },
  });
  const root = await setUpRoot(app);
  const set = async (options: Readonly<Record<string, unknown>>): Promise<void> => {
    const changes = Object.entries(options).map(([key, value]) => ({ key, value }));
    await root.expectSuccess('PUT', '/api/option/', changes);
  };
  await root.expectSuccess('PUT', '/api/option/', mailOptions(mail));
  await set({
    AlertMailReceivers: RECEIVER,
    AlertWebhookUrl: `https://localhost:${hook.port}/alerts`,
    AlertWebhookSecret: HOOK_SECRET,
  });
  return {
    app,
    root,
    clock,
    mail,
    hook,
    set,
    look: async (afterMs = 10_000) => {
      clock.advance(afterMs);
      await app.app.get(WorkerReporter, { strict: false }).say();
      await app.app.get(AlertEvaluator, { strict: false }).run();
    },
    told: () => hook.calls.map(({ body }) => (JSON.parse(body) as { type: string }).type),
    status: () => root.expectSuccess('GET', '/api/operations/status') as Promise<OperationsStatusView>,
    alerts: async () =>
      ((await root.expectSuccess('GET', '/api/operations/alerts')) as { items: readonly AlertView[] }).items,
    close: async () => {
      await app.close();
      await Promise.all([mail.close(), hook.close()]);
    },
  };
}
