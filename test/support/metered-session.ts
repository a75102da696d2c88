import { RealtimeMeter } from '../../server/relay-core/realtime/realtime-meter.js';

/** A token per word. */
export const estimate = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;
export const frame = (event: unknown): Buffer => Buffer.from(JSON.stringify(event));
export const sound = (bytes: number): string => Buffer.alloc(bytes).toString('base64');

/** A meter, and what either side sends to it. */
export function meteredSession() {
  const meter = new RealtimeMeter(estimate);
  return {
    meter,
    client: (event: unknown) => meter.readClient(frame(event)),
    server: (event: unknown) => meter.readServer(frame(event)),
    ask: (response?: object) => meter.readClient(frame({ type: 'response.create', response })),
    /** Begins and ends a response of the vendor, after `ask`. */
    end: (usage?: unknown) => {
      meter.readServer(frame({ type: 'response.created' }));
      return meter.readServer(frame({ type: 'response.done', response: { usage } }));
    },
    respond: (usage?: unknown) => {
      meter.readClient(frame({ type: 'response.create' }));
      meter.readServer(frame({ type: 'response.created' }));
      return meter.readServer(frame({ type: 'response.done', response: { usage } }));
    },
  };
}

export const words = (count: number): string => 'word '.repeat(count);
export const report = (input: number, output: number, audio = 0) => ({
  input_tokens: input,
  output_tokens: output,
  input_token_details: { audio_tokens: audio },
});
