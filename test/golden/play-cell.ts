import { midjourney } from '../../server/relay-core/providers/midjourney/provider.js';
import { suno } from '../../server/relay-core/providers/suno/provider.js';
import { runCall } from '../../server/relay-core/pipeline/run-call.js';
import { MemoryPorts, someOptions } from '../support/memory-ports.js';
import { MemoryReply } from '../support/memory-sides.js';
import { aClientCall } from '../support/relay-calls.js';
import { answerBytes } from './matrix-answers.js';
import type { Cell } from './matrix-cells.js';
import { PICTURE, PICTURE_ADDRESS } from './matrix-other-answers.js';

const TASK_MODELS = [midjourney, suno].flatMap(({ defaultModels }) => defaultModels);

/**
 * Asks one address, answers as the vendor of the cell would.
 * @param whole  answered instead of what the vendor's format usually holds
 */
export async function playCell(
  cell: Cell,
  whole?: object,
): Promise<{ readonly ports: MemoryPorts; readonly reply: MemoryReply }> {
  const { dialect, clientRoute, route, stream, question, apiFormat, isForced } = cell;
  const ports = new MemoryPorts();
  // Work that is finished later is priced by its action, and its address names it.
  if (clientRoute.operation === 'submit') for (const model of TASK_MODELS) ports.prices.models.add(model);
  ports.options.value = someOptions({ retryTimes: 0 });
  const settings = isForced
    ? { ...route.settings, forceFormat: true, systemPrompt: 'Ours.' }
    : route.settings;
  ports.channels.routes[0] = { ...route, settings };
  ports.media.files.set(PICTURE_ADDRESS, { base64: PICTURE, mediaType: 'image/png' });
  ports.sender.scripts = [
    (upstream) => {
      const isInvoked = stream && upstream.request.url.includes('/invoke');
      const { type, body } =
        whole === undefined
          ? answerBytes(apiFormat, stream, isInvoked)
          : { type: 'application/json', body: Buffer.from(JSON.stringify(whole)) };
      upstream.head(200, { 'content-type': type }).bytes(body).end();
    },
  ];
  const reply = new MemoryReply();
  await runCall(
    ports,
    aClientCall({
      path: clientRoute.path,
      pathModel: clientRoute.path.includes(':model') ? 'gpt-test' : undefined,
      query: clientRoute.path.includes(':streamGenerate') ? 'alt=sse' : '',
      headers: question.headers,
      body: question.body,
      receivedAtMs: ports.clock.nowMs(),
    }),
    dialect,
    clientRoute,
    reply,
  );
  return { ports, reply };
}
