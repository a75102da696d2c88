import { describe, expect, it } from '@jest/globals';
import { openaiChat } from '../../formats/openai-chat/index.js';
import { ChoicesMeter } from '../../formats/shared/openai/openai-choices-meter.js';
import { parsedBy } from '../../../../test/support/relay-calls.js';
import { estimateCut, mustEstimate } from './estimate-cut.js';
import type { WorstCase } from '../../ports/price-book.js';
import type { Measure } from './measure-reply.js';

const WORST: Pick<WorstCase, 'outputCap' | 'modelOutputCap' | 'choices'> = {
  outputCap: undefined,
  modelOutputCap: undefined,
  choices: 1,
};
const counted = (input = 10, output = 20): Measure => ({
  usage: { input: { total: input }, output: { total: output } },
  evidence: 'counted',
  note: 'the reply was cut before its final usage',
});

/** A second of sound at 8,000 samples of one byte. */
function wave(seconds: number): string {
  const rate = 8_000;
  const bytes = Buffer.alloc(44 + rate * seconds);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(rate, 28);
  bytes.writeUInt16LE(1, 32);
  bytes.writeUInt16LE(8, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(rate * seconds, 40);
  return bytes.toString('base64');
}

const cutOf = (
  content: unknown = 'Hi',
  changes: { readonly sealed?: number; readonly shown?: number; readonly worst?: Partial<typeof WORST> } = {},
) => {
  const meter = new ChoicesMeter();
  meter.produced.sealedBytes = changes.sealed ?? 0;
  meter.produced.shownReasoningBytes = changes.shown ?? 0;
  const parsed = parsedBy(openaiChat, { model: 'm', messages: [{ role: 'user', content }] });
  return {
    meter,
    clientCall: { parsed },
    upstreamModel: 'm',
    worstCase: { ...WORST, ...changes.worst },
  };
};

describe('estimateCut', () => {
  it('takes three tokens for sixteen bytes of a signature, on top of what came', () => {
    const { usage, evidence, note } = estimateCut(counted(), cutOf('Hi', { sealed: 16_000 }), 0);
    expect(usage.output).toEqual({ total: 3_020, reasoning: 3_000 });
    expect(evidence).toBe('estimated');
    expect(note).toContain('estimated');
  });

  it('counts reasoning once that is shown beside its signature', () => {
    expect(estimateCut(counted(), cutOf('Hi', { sealed: 16_000, shown: 3_000 }), 0).usage.output.total).toBe(
      2_020,
    );
    expect(estimateCut(counted(), cutOf('Hi', { sealed: 16_000, shown: 90_000 }), 0).usage.output.total).toBe(
      20,
    );
  });

  it('stays below the cap that was sent, and below what the model can make', () => {
    const capped = cutOf('Hi', { sealed: 16_000, worst: { outputCap: 1_000 } });
    expect(estimateCut(counted(), capped, 0).usage.output.total).toBe(1_000);
    const known = cutOf('Hi', { sealed: 16_000, worst: { modelOutputCap: 2_000 } as never });
    expect(estimateCut(counted(), known, 0).usage.output.total).toBe(2_000);
    const over = cutOf('Hi', { sealed: 16_000, worst: { outputCap: 5 } });
    expect(estimateCut(counted(), over, 0).usage.output.total).toBe(20);
  });

  it('adds the kept conversation to the prompt', () => {
    expect(estimateCut(counted(), cutOf(), 200_000).usage.input.total).toBe(200_010);
  });

  it('adds nothing to an input that the vendor reported', () => {
    const cut = cutOf();
    cut.meter.usage = { input: { total: 77 }, output: { total: undefined } };
    expect(estimateCut(counted(77), cut, 200_000).usage.input.total).toBe(77);
  });

  it('adds nothing to reasoning that the vendor reported', () => {
    const cut = cutOf('Hi', { sealed: 16_000 });
    cut.meter.usage = { input: { total: 77 }, output: { total: 900, reasoning: 800 } };
    expect(estimateCut(counted(77, 900), cut, 0).usage.output.total).toBe(900);
  });

  it('takes ten tokens for a second of received sound', () => {
    const sound = [{ type: 'input_audio', input_audio: { data: wave(60), format: 'wav' } }];
    // 256 of them are in the prompt.
    expect(estimateCut(counted(300), cutOf(sound), 0).usage.input.total).toBe(300 + 600 - 256);
  });
});

describe('mustEstimate', () => {
  const cutEnd = { outcome: 'client_abort', isWhole: false, firstContentMs: 1 } as const;
  const hides = cutOf('Hi', {});
  hides.meter.mayHideReasoning = true;

  it('asks for an estimate where a cut reply hides what it cost', () => {
    expect(mustEstimate(cutEnd, counted(), hides)).toBe(true);
    expect(mustEstimate({ ...cutEnd, outcome: 'limit' }, counted(), hides)).toBe(true);
  });

  it.each([
    ['what came tells', cutEnd, counted(), cutOf()],
    ['the report came', cutEnd, { ...counted(), evidence: 'reported' as const }, hides],
    ['nothing came', { ...cutEnd, firstContentMs: undefined }, counted(), hides],
    ['the reply came to its end', { ...cutEnd, isWhole: true }, counted(), hides],
    ['the upstream broke off', { ...cutEnd, outcome: 'partial' as const }, counted(), hides],
  ])('asks for none where %s', (_name, end, measure, cut) => {
    expect(mustEstimate(end, measure, cut)).toBe(false);
  });
});
