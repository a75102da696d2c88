import { describe, expect, it } from '@jest/globals';
import { readTraceParent, writeTraceParent } from './open-tracing.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

describe('W3C Trace Context in headers', () => {
  it('reads a parent and writes it again', () => {
    const parent = readTraceParent(`00-${TRACE}-${SPAN}-01`, 'a=1,b=2');
    expect(parent).toEqual({ traceId: TRACE, spanId: SPAN, flags: 1, state: 'a=1,b=2' });
    expect(parent && writeTraceParent(parent)).toEqual({
      traceparent: `00-${TRACE}-${SPAN}-01`,
      tracestate: 'a=1,b=2',
    });
  });

  it('reads known flags, and as much of a later version as it understands', () => {
    expect(readTraceParent(`00-${TRACE}-${SPAN}-fe`, undefined)?.flags).toBe(0);
    expect(readTraceParent(`cc-${TRACE}-${SPAN}-03-what-comes`, undefined)?.flags).toBe(1);
  });

  it('takes the parts of a state that came in several headers, and none that is too long', () => {
    expect(readTraceParent(`00-${TRACE}-${SPAN}-01`, ['a=1', 'b=2'])?.state).toBe('a=1,b=2');
    expect(readTraceParent(`00-${TRACE}-${SPAN}-01`, 'x'.repeat(513))?.state).toBe('');
  });

  it.each([
    ['nothing', undefined],
    ['two headers', [`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01`]],
    ['capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['no trace', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['no span', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['the version that is none', `ff-${TRACE}-${SPAN}-01`],
    ['more than version 00 has', `00-${TRACE}-${SPAN}-01-x`],
    ['too little', `00-${TRACE}-${SPAN}`],
    ['something else', 'x'.repeat(10_000)],
  ])('%s is no parent', (_what, header) => {
    expect(readTraceParent(header, undefined)).toBeUndefined();
  });
});
