import { describe, expect, it } from '@jest/globals';
import { callCore } from '../../../test/support/core-calls.js';
import { aRoute, MemoryPorts } from '../../../test/support/memory-ports.js';
import { midjourneyDialect } from '../dialects/midjourney.js';
import { sunoDialect } from '../dialects/suno.js';
import type { UpstreamFault } from '../ports/http-sender.js';

const SONG = { dialect: sunoDialect, path: '/suno/submit/music', body: { prompt: 'a song' } };
const DRAWING = { dialect: midjourneyDialect, path: '/mj/submit/imagine', body: { prompt: 'a cat' } };

/** Requests that two channels get for one submission whose connections end with a fault. */
async function requestsOf(
  task: typeof SONG | typeof DRAWING,
  channelType: number,
  kind: UpstreamFault['kind'],
) {
  const ports = new MemoryPorts();
  for (const model of ['suno_music', 'mj_imagine']) ports.prices.models.add(model);
  const route = { channelType, upstreamModel: 'task' };
  ports.channels.routes.splice(0, 1, aRoute(route), aRoute({ ...route, channelId: 2 }));
  await callCore(ports, {
    ...task,
    operation: 'submit',
    script: (upstream) => void upstream.breakWith({ kind }),
  });
  return ports.sender.exchanges.length;
}

describe.each([
  ['a song', SONG, 36],
  ['a drawing', DRAWING, 2],
] as const)('the submission of %s', (_name, task, type) => {
  it('reaches one vendor where the connection broke after it left', async () => {
    expect(await requestsOf(task, type, 'reset')).toBe(1);
  });

  it('reaches the next channel where no connection was made', async () => {
    expect(await requestsOf(task, type, 'unreachable')).toBeGreaterThan(1);
  });
});
