import { describe, expect, it } from '@jest/globals';
import { UnfinishedFrame } from './unfinished-frame.js';

const MEGABYTE = 1024 * 1024;

function memory(roomBytes: number) {
  let held = 0;
  return {
    hasRoomFor: (bytes: number) => held + bytes <= roomBytes,
    holdBytes: (bytes: number) => void (held += bytes),
    held: () => held,
  };
}

describe('UnfinishedFrame', () => {
  it('holds memory for a frame while it comes, and gives it back when it is whole or the connection is closed', () => {
    const room = memory(20 * MEGABYTE);
    for (const end of ['finish', 'release'] as const) {
      const frame = new UnfinishedFrame(true);
      frame.limit(room, () => undefined);
      for (let chunk = 0; chunk < 160; chunk += 1) frame.addChunk(64 * 1024);
      expect(room.held()).toBeGreaterThanOrEqual(10 * MEGABYTE);
      frame[end]();
      expect(room.held()).toBe(0);
    }
  });

  it('holds bytes from before the limit was known, and the memory of many small chunks', () => {
    const room = memory(20 * MEGABYTE);
    const frame = new UnfinishedFrame(true);
    for (let chunk = 0; chunk < 100_000; chunk += 1) frame.addChunk(1);
    frame.limit(room, () => undefined);
    expect(room.held()).toBeGreaterThan(10 * MEGABYTE);
  });

  it('reports a frame that has no room, whatever other frames hold', () => {
    const room = memory(MEGABYTE);
    let full = 0;
    const frames = Array.from({ length: 2 }, () => new UnfinishedFrame(true));
    for (const frame of frames) frame.limit(room, () => (full += 1));
    for (let chunk = 0; chunk < 8; chunk += 1) for (const frame of frames) frame.addChunk(64 * 1024);
    expect(full).toBeGreaterThan(0);
  });

  it('recognises a frame that is not whole since the last check', () => {
    const frame = new UnfinishedFrame(true);
    expect([frame.hasNotGrownWhole(), frame.hasNotGrownWhole()]).toEqual([false, false]);
    frame.addChunk(10);
    expect([frame.hasNotGrownWhole(), frame.hasNotGrownWhole()]).toEqual([false, true]);
    frame.addChunk(10);
    frame.finish();
    frame.addChunk(10);
    expect([frame.hasNotGrownWhole(), frame.hasNotGrownWhole()]).toEqual([false, true]);
  });

  it.each([
    [true, 6],
    [false, 2],
  ])('takes pings and pongs for no part of a frame, masked: %s', (isMasked, header) => {
    const frame = new UnfinishedFrame(isMasked);
    for (let pong = 0; pong < 3; pong += 1) {
      frame.addChunk(header + 4);
      frame.skipControl(4);
      expect(frame.hasNotGrownWhole()).toBe(false);
    }
  });
});
