import { describe, expect, it } from '@jest/globals';
import { ChatReplyReader } from '../../server/relay-core/formats/openai-chat/reply-reader.js';
import { ChoicesMeter } from '../../server/relay-core/formats/shared/openai/openai-choices-meter.js';
import { SseParser } from '../../server/relay-core/framing/sse.js';
import type { Usage } from '../../server/relay-core/model/usage.js';
import { playRecording, type Delivery, type Played } from './play-recording.js';
import { ownRecordings, sharedRecordings, spokenRecordings, type Recording } from './recordings.js';

/** Real recordings are long: their cuts are sampled, ours are cut everywhere. */
const MAX_CUTS = 40;

function cutsOf({ bytes, name }: Recording): readonly number[] {
  const all = Array.from({ length: bytes.length - 1 }, (_, index) => index + 1);
  if (!name.includes('/')) return all;
  const step = Math.max(1, Math.floor(all.length / MAX_CUTS));
  return all.filter((_, index) => index % step === 0);
}

/** The last line feed of a stream with CRLF may come after its end was recognised. */
const withoutEnd = (played: Played): Played => ({ ...played, text: played.text.trimEnd() });

async function expectEqual(recording: Recording, delivery: Delivery): Promise<void> {
  const passed = await playRecording(recording, 'pass-through', delivery);
  const translated = await playRecording(recording, 'translated', delivery);
  expect({ charge: passed.charge, status: passed.status }).toEqual({
    charge: translated.charge,
    status: translated.status,
  });
  const isClean = (text: string) => text.includes('data: [DONE]');
  if (recording.isStream) expect(isClean(passed.text)).toBe(isClean(translated.text));
}

const chats = [...ownRecordings(), ...sharedRecordings()];
const recordings = [...chats, ...spokenRecordings()];

describe('pass-through charges exactly what the translated path charges', () => {
  it.each(recordings)('$name, whole', async (recording) => {
    await expectEqual(recording, { chunks: [recording.bytes] });
  });

  it.each(recordings)('$name, in two reads cut at every byte', async (recording) => {
    const { bytes } = recording;
    const whole = withoutEnd(await playRecording(recording, 'pass-through', { chunks: [bytes] }));
    for (const cut of cutsOf(recording)) {
      const chunks = [bytes.subarray(0, cut), bytes.subarray(cut)];
      expect(withoutEnd(await playRecording(recording, 'pass-through', { chunks }))).toEqual(whole);
      await expectEqual(recording, { chunks });
    }
  });

  it.each(recordings)('$name, broken off at every byte', async (recording) => {
    for (const cut of cutsOf(recording)) {
      await expectEqual(recording, { chunks: [recording.bytes.subarray(0, cut)], breaks: true });
    }
  });

  it.each(recordings)('$name, ended early at every byte', async (recording) => {
    for (const cut of cutsOf(recording)) {
      await expectEqual(recording, { chunks: [recording.bytes.subarray(0, cut)] });
    }
  });
});

describe('the meter sees in bytes what the reader sees in events', () => {
  it.each(chats.filter(({ isStream }) => isStream))('$name', ({ bytes }) => {
    const meter = new ChoicesMeter();
    const reader = new ChatReplyReader();
    let usage: Usage | undefined;
    let characters = 0;
    const parser = new SseParser({
      onEvent: (_bytes, _rawStart, _rawEnd, data, start, end) => {
        const verdict = meter.readEvent(data, start, end);
        if (verdict === 'end' || verdict === 'error') return false;
        if (verdict === 'silent' || verdict === 'malformed') return true;
        for (const event of reader.read(data.toString('utf8', start, end))) {
          if (event.type === 'usage') ({ usage } = event);
          else if (event.type === 'tool-input-start') characters += event.name.length;
          else if (event.type === 'tool-input-delta') characters += event.json.length;
          else if (
            event.type === 'text-delta' ||
            event.type === 'reasoning-delta' ||
            event.type === 'refusal-delta'
          ) {
            characters += event.text.length;
          }
        }
        return true;
      },
    });
    parser.push(bytes);
    parser.finish();
    expect(meter.usage).toEqual(usage);
    expect(meter.produced.keptText()).toHaveLength(characters);
  });
});
