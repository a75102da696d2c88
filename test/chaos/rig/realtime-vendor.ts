import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';

export const REALTIME_MODEL = 'fx-realtime';
const DELTAS = 50;
const GAP_MS = 20;
/** Input tokens that each response bills, whatever came before it. */
const INPUT_TOKENS = 10;
/** Quota of a whole response: input at ratio 1, output at twice that. */
export const RESPONSE_CHARGE = INPUT_TOKENS + 2 * DELTAS;

/** Adds realtime sessions to the mock upstream: every response is fifty words, with a report at its end. */
export function serveRealtime(server: Server): void {
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => (offered.has('realtime') ? 'realtime' : false),
  });
  server.on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, serveSession);
  });
}

function serveSession(socket: WebSocket): void {
  const send = (event: object): void => socket.send(JSON.stringify(event));
  let responses = 0;
  let items = 0;
  socket.on('error', () => undefined);
  socket.on('message', (data: Buffer) => {
    const event = JSON.parse(data.toString('utf8')) as { readonly type: string; readonly item?: object };
    if (event.type === 'conversation.item.create') {
      const item = { id: `item_${(items += 1)}`, ...event.item };
      send({ type: 'conversation.item.added', previous_item_id: null, item });
    } else if (event.type === 'response.create') void respond(socket, `resp_${(responses += 1)}`);
  });
  send({ type: 'session.created', session: { id: 'sess_chaos', type: 'realtime', model: REALTIME_MODEL } });
}

async function respond(socket: WebSocket, id: string): Promise<void> {
  const send = (event: object): void => socket.send(JSON.stringify(event));
  send({ type: 'response.created', response: { id, status: 'in_progress', output: [] } });
  for (let count = 0; count < DELTAS; count += 1) {
    if (socket.readyState !== socket.OPEN) return;
    send({ type: 'response.output_text.delta', response_id: id, output_index: 0, delta: ' tok' });
    await pause(GAP_MS);
  }
  const usage = {
    total_tokens: INPUT_TOKENS + DELTAS,
    input_tokens: INPUT_TOKENS,
    output_tokens: DELTAS,
    input_token_details: { text_tokens: INPUT_TOKENS, audio_tokens: 0, cached_tokens: 0 },
    output_token_details: { text_tokens: DELTAS, audio_tokens: 0 },
  };
  if (socket.readyState === socket.OPEN)
    send({ type: 'response.done', response: { id, status: 'completed', output: [], usage } });
}
