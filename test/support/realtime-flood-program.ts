/**
 * Prints the milliseconds of CPU that the dearest of 10,000 frames cost a realtime session, on either side. A core slower than the usual
 * one has its figures reduced by as much.
 */
import { wordFilterOf } from '../../server/relay-core/pipeline/request/word-filter.js';
import { textsOf } from '../../server/relay-core/realtime/realtime-frame.js';
import { RealtimeMeter } from '../../server/relay-core/realtime/realtime-meter.js';
import { randomFrame, seeded } from './random-frames.js';
import { speedOfCore } from './speed-of-core.js';

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
const filter = wordFilterOf(WORDS);

type Step = (meter: RealtimeMeter) => void;

/** The machine only adds to a reading (stolen time, cold caches), so the least of three is the cost of the frame itself. */
const READINGS = 3;
const WORTH_REPEATING_MS = 5;

const newMeter = () => new RealtimeMeter((text) => Math.ceil(text.length / 4));

function cpuMs(step: Step, meter: RealtimeMeter): number {
  const before = process.threadCpuUsage();
  step(meter);
  return process.threadCpuUsage(before).user / 1_000;
}

function costMs(step: Step, meter: RealtimeMeter): number {
  let leastMs = cpuMs(step, meter);
  for (let reading = 1; reading < READINGS && leastMs > WORTH_REPEATING_MS; reading += 1) {
    leastMs = Math.min(leastMs, cpuMs(step, newMeter()) * speedOfCore());
  }
  return leastMs;
}

const session = newMeter();
let dearestMs = 0;
for (let number = 0; number < FRAMES; number += 1) {
  const frame = worst[number] ?? randomFrame(random);
  const fromServer: Step = (meter) => {
    meter.readServer(frame);
    meter.usage();
  };
  const fromClient: Step = (meter) => {
    if (meter.readClient(frame) === undefined) for (const text of textsOf(frame)) filter.find(text);
  };
  dearestMs = Math.max(dearestMs, costMs(fromServer, session), costMs(fromClient, session));
}
process.stdout.write(String(dearestMs));
