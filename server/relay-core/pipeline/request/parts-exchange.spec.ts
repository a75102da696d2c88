import { describe, expect, it } from '@jest/globals';
import type {
  HttpSender,
  UpstreamExchange,
  UpstreamFault,
  UpstreamRequest,
  UpstreamSink,
} from '../../ports/http-sender.js';
import { PartsExchange } from './parts-exchange.js';

const requestTo = (url: string): UpstreamRequest => ({ method: 'POST', url, headers: {}, body: undefined });

/** A vendor whose replies are given by hand. @param accepts  whether a reply is an answer */
function fixture(parts: number, accepts: (body: string) => boolean = () => true, maxBytes = 1_000) {
  const sinks: UpstreamSink[] = [];
  const aborted: number[] = [];
  const sender: HttpSender = {
    send: (_request: UpstreamRequest, sink: UpstreamSink): UpstreamExchange => {
      const index = sinks.push(sink) - 1;
      return { resume: () => undefined, abort: () => void aborted.push(index) };
    },
  };
  const heard: string[] = [];
  const taken: number[] = [];
  const exchange = new PartsExchange(
    { sender },
    {
      requests: Array.from({ length: parts }, (_, index) => requestTo(`part ${index}`)),
      onSent: () => undefined,
      take: (index, { body }) => {
        taken.push(index);
        return accepts(body.toString());
      },
    },
    {
      onHead: (status) => heard.push(`head ${status}`),
      onBytes: (chunk) => heard.push(chunk.toString()) > 0,
      onEnd: () => heard.push('end'),
      onBroken: ({ kind }: UpstreamFault) => heard.push(`broken ${kind}`),
    },
    maxBytes,
  ).start();
  const reply = (index: number, body = 'answer'): void => {
    sinks[index]?.onHead(200, {});
    sinks[index]?.onBytes(Buffer.from(body));
    sinks[index]?.onEnd();
  };
  return { sinks, heard, taken, aborted, exchange, reply };
}

describe('parts of a call', () => {
  it('has four under way at most and sends the next when one has ended', () => {
    const { sinks, heard, reply } = fixture(6);
    expect(sinks).toHaveLength(4);
    reply(2);
    expect(sinks).toHaveLength(5);
    for (const index of [0, 1, 3, 4, 5]) reply(index);
    expect(heard).toEqual(['head 200', '', '', '', '', '', '', '{}', 'end']);
  });

  it('sends none after a failed part, and reads those under way to their end', () => {
    const { sinks, heard, taken, reply } = fixture(9, (body) => body === 'answer');
    reply(1, 'no');
    reply(0);
    reply(2);
    expect(heard).not.toContain('end');
    reply(3);
    expect([sinks.length, taken, heard.at(-1)]).toEqual([4, [1, 0, 2, 3], 'end']);
  });

  it('breaks as its first broken part did, once the others have ended', () => {
    const { sinks, heard, reply } = fixture(3);
    sinks[0]?.onBroken({ kind: 'reset' });
    sinks[1]?.onBroken({ kind: 'timeout' });
    reply(2);
    expect(heard).toEqual(['head 200', '', 'broken reset']);
  });

  it('cuts every part when their replies are too large together', () => {
    const { sinks, heard, aborted } = fixture(3, undefined, 10);
    for (const sink of sinks) sink.onHead(200, {});
    sinks[0]?.onBytes(Buffer.alloc(6));
    sinks[1]?.onBytes(Buffer.alloc(6));
    sinks[2]?.onEnd();
    expect([heard, aborted]).toEqual([
      ['head 200', 'broken too-large'],
      [0, 1, 2],
    ]);
  });

  it('cuts what is under way when the call is left, and gives nothing more', () => {
    const { heard, aborted, exchange, reply } = fixture(6);
    reply(0);
    const before = [...heard];
    exchange.abort();
    reply(1);
    expect([aborted, heard]).toEqual([[1, 2, 3, 4], before]);
  });

  it('takes replies that come while their requests are being sent', () => {
    const heard: string[] = [];
    const sender: HttpSender = {
      send: (_request, sink) => {
        sink.onHead(200, {});
        sink.onEnd();
        return { resume: () => undefined, abort: () => undefined };
      },
    };
    const parts = { requests: Array(9).fill(requestTo('x')), onSent: () => undefined, take: () => true };
    const sink: UpstreamSink = {
      onHead: () => undefined,
      onBytes: () => true,
      onEnd: () => heard.push('end'),
      onBroken: () => heard.push('broken'),
    };
    new PartsExchange({ sender }, parts, sink, 1_000).start();
    expect(heard).toEqual(['end']);
  });
});
