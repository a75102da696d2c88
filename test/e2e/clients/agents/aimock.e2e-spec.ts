import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LLMock } from '@copilotkit/aimock';
import { startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { GatewayConsole } from '../../../support/gateway-console.js';
import { addVendor, modelOf, API_FORMATS, type FormatName } from './agent.fixture.js';
import { chatLoopSession, chatSession } from './chat-client.js';
import { geminiSession } from './gemini-client.js';
import { messagesSession } from './messages-client.js';
import { responsesSession } from './responses-client.js';
import type { Session } from './session.js';
import { FORM_TURN, stepAt, TURNS } from '../../../support/strict-vendors/story.js';

/** The same story played by a third-party mock of all vendors. */
let app: TestApp;
let mock: LLMock;
let key: string;

beforeAll(async () => {
  mock = new LLMock({ port: 0, host: '127.0.0.1' });
  for (let turn = 0; turn <= FORM_TURN; turn += 1) {
    const { text, calls } = stepAt(turn);
    mock.on(
      { turnIndex: turn },
      calls.length === 0
        ? { content: text }
        : {
            ...(text === '' ? {} : { content: text }),
            toolCalls: calls.map(({ id, name, args }) => ({ id, name, arguments: JSON.stringify(args) })),
          },
    );
  }
  await mock.start();
  app = await startTestApp();
  const admin = new GatewayConsole(app.url);
  await admin.setUp();
  const each = (value: number) =>
    Object.fromEntries(API_FORMATS.map((apiFormat) => [modelOf(apiFormat), value]));
  await admin.setOptions({ ModelRatio: each(1), CompletionRatio: each(2), RetryTimes: 0 });
  for (const apiFormat of API_FORMATS) await addVendor(admin, apiFormat, mock.url);
  ({ key } = await admin.addToken());
});
afterAll(async () => {
  await app?.close();
  await mock?.stop();
});

const SESSIONS: Readonly<Record<string, Session>> = {
  'openai chat': chatLoopSession,
  'openai chat by its helper': chatSession,
  'openai Responses': responsesSession,
  anthropic: messagesSession,
  gemini: geminiSession,
};
interface Case {
  readonly client: string;
  readonly apiFormat: FormatName;
  readonly isStreamed: boolean;
}

/** This mock counts items of Responses, not turns, and does not wrap Bedrock's invoked stream as AWS does. */
const isCovered = ({ client, apiFormat, isStreamed }: Case): boolean =>
  apiFormat !== 'responses' && !(client === 'anthropic' && apiFormat === 'bedrock' && isStreamed);

const CASES: readonly Case[] = Object.keys(SESSIONS)
  .flatMap((client) =>
    API_FORMATS.flatMap((apiFormat) =>
      [false, true].map((isStreamed) => ({ client, apiFormat, isStreamed })),
    ),
  )
  .filter(isCovered);

describe('twenty turns with a mock nobody here wrote', () => {
  it.each(CASES)(
    '$client over $apiFormat (streamed: $isStreamed)',
    async ({ client, apiFormat, isStreamed }) => {
      const told = await SESSIONS[client]?.({ url: app.url, key, model: modelOf(apiFormat), isStreamed });
      const steps = Array.from({ length: TURNS + 1 }, (_, turn) => stepAt(turn));
      expect(told?.map(({ text }) => text)).toEqual(steps.map(({ text }) => text));
      expect(told?.map(({ calls }) => calls)).toEqual(
        steps.map(({ calls }) => calls.map(({ name, args }) => ({ name, args }))),
      );
    },
  );
});
