import { expect, it } from '@jest/globals';
import { isRealtimeUpgrade } from './upgrades.js';

it.each([
  ['/v1/realtime', 'websocket', true],
  ['/v1/realtime?model=gpt-4o', 'WebSocket', true],
  ['/v1/realtime', 'h2c', false],
  ['/v1/realtime', 'h2c, websocket', false],
  ['/v1/realtime', undefined, false],
  ['/v1/realtime/x', 'websocket', false],
  ['/v1/chat/completions', 'websocket', false],
  ['/x?/v1/realtime', 'websocket', false],
  [undefined, 'websocket', false],
])('takes %j with the upgrade %j off HTTP: %p', (url, upgrade, isTaken) => {
  expect(isRealtimeUpgrade({ url, headers: upgrade === undefined ? {} : { upgrade } })).toBe(isTaken);
});
