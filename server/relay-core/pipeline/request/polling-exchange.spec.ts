import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import type {
  HttpSender,
  UpstreamExchange,
  UpstreamFault,
  UpstreamRequest,
  UpstreamSink,
} from '../../ports/http-sender.js';
import { PollingExchange, type FindPoll } from './polling-exchange.js';

const request = (url: string): UpstreamRequest => ({ method: 'GET', url, headers: {}, body: undefined });

/** A vendor whose replies are given by hand, and a sink that records its calls. */
function fixture(find: FindPoll) {
  const clock = new FakeClock();
  const sinks: UpstreamSink[] = [];
  const asked: string[] = [];
  let aborts = 0;
  const sender: HttpSender = {
    send: ({ url }: UpstreamRequest, sink: UpstreamSink): UpstreamExchange => {
      asked.push(url);
      sinks.push(sink);
      return { resume: () => undefined, abort: () => (aborts += 1) };
    },
  };
  const heard: string[] = [];
  const exchange = new PollingExchange({ sender, clock }, find, {
    onHead: (status) => heard.push(`head ${status}`),
    onBytes: (chunk) => {
      heard.push(chunk.toString());
      return true;
    },
    onEnd: () => heard.push('end'),
    onBroken: ({ kind }: UpstreamFault) => heard.push(`broken ${kind}`),
  }).start(request('submit'));
  const reply = (status: number, body: string): void => {
    const sink = sinks.at(-1);
    sink?.onHead(status, {});
    sink?.onBytes(Buffer.from(body));
    sink?.onEnd();
  };
  return { clock, sinks, asked, heard, exchange, reply, aborts: () => aborts };
}

/** Asks three times at most, ten seconds apart, while the reply says `running`. */
const whileRunning: FindPoll = ({ body, asked, last }) => {
  if (asked >= 3) return undefined;
  if (body.length === 0) return last === undefined ? undefined : { request: last, afterMs: 10_000 };
  return body.toString() === 'running' ? { request: request(`look ${asked}`), afterMs: 10_000 } : undefined;
};

describe('a vendor that answers later', () => {
  it('asks again until the answer is there; the sink gets one reply', () => {
    const { clock, asked, heard, reply } = fixture(whileRunning);
    reply(200, 'running');
    expect(heard).toEqual(['head 200']);
    clock.advance(9_999);
    expect(asked).toEqual(['submit']);
    clock.advance(1);
    reply(200, 'running');
    clock.advance(10_000);
    reply(200, 'pictures');
    expect(asked).toEqual(['submit', 'look 0', 'look 1']);
    expect(heard).toEqual(['head 200', 'pictures', 'end']);
  });

  it('passes on one that answers at once, a failure with its status', () => {
    const quick = fixture(whileRunning);
    quick.reply(200, 'pictures');
    expect(quick.heard).toEqual(['head 200', 'pictures', 'end']);
    const refused = fixture(whileRunning);
    refused.reply(400, 'no');
    expect(refused.heard).toEqual(['head 400', 'no', 'end']);
  });

  it('asks again after a question that failed, and gives up after one that was wrong', () => {
    const busy = fixture(whileRunning);
    busy.reply(200, 'running');
    busy.clock.advance(10_000);
    busy.reply(503, 'busy');
    busy.clock.advance(10_000);
    expect(busy.asked).toEqual(['submit', 'look 0', 'look 0']);
    busy.reply(200, 'pictures');
    expect(busy.heard).toEqual(['head 200', 'pictures', 'end']);
    const wrong = fixture(whileRunning);
    wrong.reply(200, 'running');
    wrong.clock.advance(10_000);
    wrong.reply(404, 'unknown task');
    expect(wrong.heard).toEqual(['head 200', 'broken reset']);
  });

  it('hands over the last state of one that never finishes', () => {
    const { clock, heard, reply, asked } = fixture(whileRunning);
    for (let round = 0; round < 4; round += 1) {
      reply(200, 'running');
      clock.advance(10_000);
    }
    expect(asked).toHaveLength(4);
    expect(heard).toEqual(['head 200', 'running', 'end']);
  });

  it('stops asking when the caller left, and cancels the question', () => {
    const waiting = fixture(whileRunning);
    waiting.reply(200, 'running');
    waiting.exchange.abort();
    waiting.clock.advance(60_000);
    expect(waiting.asked).toEqual(['submit']);
    const asking = fixture(whileRunning);
    asking.exchange.abort();
    expect(asking.aborts()).toBe(1);
    asking.reply(200, 'pictures');
    expect(asking.heard).not.toContain('end');
  });

  it('cuts one that is longer than a task may be', () => {
    const { heard, reply } = fixture(whileRunning);
    reply(200, 'x'.repeat(4 * 1024 * 1024 + 1));
    expect(heard).toEqual(['head 200', 'broken too-large']);
  });
});
