/** Prints the milliseconds of CPU that the dearest of 10,000 frames cost a realtime session, on either side. */
import { wordFilterOf } from '../../server/relay-core/pipeline/request/word-filter.js';
import { RealtimeMeter } from '../../server/relay-core/realtime/realtime-meter.js';
import { randomFrame, seeded } from './random-frames.js';

const FRAMES = 10_000;
const WORDS = ['forbidden', 'xxxxxy', 'wordword'];

const random = seeded(7);
const worst = [
  '['.repeat(16_000_000),
  `[${'{},'.repeat(5_000_000)}{}]`,
  `{${Array.from({ length: 1_000_000 }, (_, index) => `"m${index}":0`).join(',')}}`,
  `{"type":"session.update","session":{"instructions":"${'x'.repeat(500_000)}"}}`,
  `{"type":"session.update","session":{"instructions":"${'\\u0078'.repeat(80_000)}"}}`,
  `{"type":"conversation.item.create","item":{"content":[${'{"text":"x"},'.repeat(30_000)}0]}}`,
  `{"type":"response.output_text.delta","delta":"${'x'.repeat(500_000)}"}`,
  `{"type":"conversation.item.create","item":{"audio":"${'A'.repeat(15_000_000)}"}}`,
].map((text) => Buffer.from(text));
const meter = new RealtimeMeter((text) => Math.ceil(text.length / 4));
const filter = wordFilterOf(WORDS);
let dearestMs = 0;
const measure = (step: () => void): void => {
  const before = process.threadCpuUsage();
  step();
  dearestMs = Math.max(dearestMs, process.threadCpuUsage(before).user / 1_000);
};
for (let number = 0; number < FRAMES; number += 1) {
  const frame = worst[number] ?? randomFrame(random);
  measure(() => {
    meter.readServer(frame);
    meter.usage();
  });
  measure(() => {
    if (meter.readClient(frame) === undefined)
      for (const text of RealtimeMeter.textsOf(frame)) filter.find(text);
  });
}
process.stdout.write(String(dearestMs));
