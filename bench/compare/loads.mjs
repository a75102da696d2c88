import { MODELS } from '../models.mjs';

const CONNECTIONS = 64;
const whole = (model) => ({ model });
const streamed = (model) => ({ model, stream: true });
const perCall = (slice) => slice.cpuMicrosecondsPerRequest;
const perChunk = (slice) => slice.cpuMicrosecondsPerChunk;
/** The share of a core at a fixed rate, as microseconds of CPU a call. */
const atRate = (ratePerSecond) => (slice) => (slice.cpuShare * 1e6) / ratePerSecond;

/**
 * The loads that two builds are compared by.
 * @typedef {object} Load
 * @property {string} name
 * @property {string} title as the table of results shows it
 * @property {string} unit of `cpu`
 * @property {'closedLoop' | 'openLoop' | 'fastStreams'} kind of the load generator
 * @property {{model: string, stream?: boolean}} call
 * @property {object} order further figures for the load generator; a slice is so long that each has several of V8's full collections,
 *   which fall into some short slices and not into others, and so short that its neighbour meets the same machine
 * @property {(slice: object) => number} cpu microseconds of CPU for each unit
 * @property {boolean} [hasPlainTargets] bare and nginx take the same load
 * @property {Record<string, (slice: object) => number>} [delays] milliseconds, compared as differences to bare
 */

/** @type {readonly Load[]} */
export const LOADS = [
  {
    name: 'whole',
    title: 'whole calls, 64 connections',
    unit: 'call',
    kind: 'closedLoop',
    call: whole('bench-json'),
    order: { connections: CONNECTIONS, leadMs: 200, durationMs: 3000, restMs: 150 },
    cpu: perCall,
    hasPlainTargets: true,
  },
  {
    name: 'rate',
    title: 'whole calls, 1,000 a second',
    unit: 'call',
    kind: 'openLoop',
    call: whole('bench-json'),
    order: { ratePerSecond: 1000, durationMs: 3000 },
    cpu: atRate(1000),
    hasPlainTargets: true,
    delays: {
      'p50 over bare': (slice) => slice.latencyMs.p50,
      'p99 over bare': (slice) => slice.latencyMs.p99,
    },
  },
  {
    name: 'streams',
    title: 'streams, 64 connections',
    unit: 'chunk',
    kind: 'fastStreams',
    call: streamed('bench-fast-stream'),
    order: { connections: CONNECTIONS, leadMs: 200, durationMs: 2000 },
    cpu: perChunk,
    hasPlainTargets: true,
  },
  {
    name: 'first-token',
    title: 'streams begun, 100 a second',
    unit: 'stream',
    kind: 'openLoop',
    call: streamed('bench-short-stream'),
    order: { ratePerSecond: 100, durationMs: 2000 },
    cpu: atRate(100),
    hasPlainTargets: true,
    delays: { 'first token over bare': (slice) => slice.firstByteMs.p50 },
  },
  {
    name: 'translated',
    title: 'whole answers of Anthropic for chat clients, 64 connections',
    unit: 'call',
    kind: 'closedLoop',
    call: whole('bench-anthropic-json'),
    order: { connections: CONNECTIONS, leadMs: 200, durationMs: 2000, restMs: 150 },
    cpu: perCall,
  },
  {
    name: 'translated-streams',
    title: 'streams of Anthropic for chat clients, 64 connections',
    unit: 'chunk',
    kind: 'fastStreams',
    call: streamed('bench-fast-anthropic'),
    order: { connections: CONNECTIONS, leadMs: 200, durationMs: 2000 },
    cpu: perChunk,
  },
];

for (const { call } of LOADS) {
  if (!(call.model in MODELS)) throw new Error(`the mock upstream knows no model ${call.model}`);
}
