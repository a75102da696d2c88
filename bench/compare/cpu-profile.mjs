import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Frames that V8 reports for time in which a thread did nothing. */
const IDLE = new Set(['(idle)', '(root)']);

/**
 * The name of a function: alone for the product's code, which is bundled into files of changing names, and with the module for
 * Node's own.
 */
function nameOf({ functionName, url }) {
  const name = functionName === '' ? '(anonymous)' : functionName;
  return url.startsWith('node:') ? `${name} [${url.slice(5)}]` : name;
}

/**
 * Sums the self time of each function in stretches of a V8 CPU profile.
 * @param {{nodes: object[], samples: number[], timeDeltas: number[], startTime: number}} profile times in microseconds of the
 *   monotonic clock
 * @param {readonly {fromUs: number, toUs: number}[]} stretches
 * @returns {Map<string, number>} microseconds by name, without idle time
 */
export function selfTimes({ nodes, samples, timeDeltas, startTime }, stretches) {
  const names = new Map(nodes.map((node) => [node.id, nameOf(node.callFrame)]));
  const sums = new Map();
  const isWithin = (us) => stretches.some(({ fromUs, toUs }) => us >= fromUs && us <= toUs);
  let atUs = startTime;
  for (let index = 0; index < samples.length; index += 1) {
    atUs += timeDeltas[index];
    if (!isWithin(atUs)) continue;
    const name = names.get(samples[index]);
    // A sample stands for the time until the next one.
    const lastsUs = timeDeltas[index + 1] ?? 0;
    if (!IDLE.has(name) && lastsUs > 0) sums.set(name, (sums.get(name) ?? 0) + lastsUs);
  }
  return sums;
}

/**
 * Reads the profiles that `node --cpu-prof` left in a folder: the thread that serves, and the one that books.
 * @returns {{serving: object, booking: object | undefined}}
 */
export function readProfiles(folder) {
  const profiles = readdirSync(folder)
    .filter((name) => name.endsWith('.cpuprofile'))
    .map((name) => ({
      // CPU.date.time.pid.thread.serial.cpuprofile
      thread: Number(name.split('.')[4]),
      profile: JSON.parse(readFileSync(join(folder, name), 'utf8')),
    }));
  const serving = profiles.find(({ thread }) => thread === 0)?.profile;
  if (serving === undefined) throw new Error(`${folder} has no profile of a main thread`);
  const books = ({ profile }) =>
    profile.nodes.some(({ callFrame }) => callFrame.url.endsWith('/booking-thread.js'));
  return { serving, booking: profiles.find((entry) => entry.thread !== 0 && books(entry))?.profile };
}

/**
 * Microseconds a call by function, scaled so that they add up to the CPU time the kernel counted for the thread.
 * @param {Map<string, number>} times of `selfTimes`
 * @param {number} cpuUsPerCall
 * @param {ReadonlyMap<string, string>} newNames old names of functions that were renamed since
 */
export function perCall(times, cpuUsPerCall, newNames) {
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  const result = new Map();
  for (const [name, time] of times) {
    const today = newNames.get(name) ?? name;
    result.set(today, (result.get(today) ?? 0) + (time / total) * cpuUsPerCall);
  }
  return result;
}

/** Differences by function, the largest first. @returns {{name: string, own: number, other: number, difference: number}[]} */
export function differencesBetween(own, other) {
  const names = new Set([...own.keys(), ...other.keys()]);
  return [...names]
    .map((name) => {
      const [here, there] = [own.get(name) ?? 0, other.get(name) ?? 0];
      return { name, own: here, other: there, difference: here - there };
    })
    .sort((one, two) => Math.abs(two.difference) - Math.abs(one.difference));
}
