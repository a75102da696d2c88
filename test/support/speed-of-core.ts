/** CPU in milliseconds that the yardstick costs the usual core: a core that took 105 needed 1.36 times as long for these streams. */
const USUAL_YARDSTICK_MS = 80;
const YARDSTICK_ROUNDS = 12;
const YARDSTICK = JSON.stringify(
  Array.from({ length: 40_000 }, (_, index) => ({ index, text: `entry ${index}` })),
);

/** Share of the usual core's speed, at most 1, by reading and writing a fixed document. */
export function speedOfCore(): number {
  const before = process.threadCpuUsage();
  for (let round = 0; round < YARDSTICK_ROUNDS; round += 1) JSON.stringify(JSON.parse(YARDSTICK));
  const { user, system } = process.threadCpuUsage(before);
  return Math.min(1, USUAL_YARDSTICK_MS / ((user + system) / 1_000));
}
