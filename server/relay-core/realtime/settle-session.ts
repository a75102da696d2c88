import type { FinishedCall } from '../model/call.js';
import type { RelayPorts } from '../pipeline/context/relay-ports.js';
import type { ChannelRoom } from '../pipeline/stages/choose-channel.js';
import type { Hold } from '../ports/quota-holds.js';
import { type EndedSession, toFinishedCall, toFinishedTranscripts } from './finished-session.js';
import type { TranscriptionCalls } from './transcription-calls.js';

/**
 * Books a session, then what other models transcribed in it, each by its own price; one that used nothing costs nothing. A charge that
 * fails keeps none of the others from being booked: the first fault is thrown when all were tried.
 */
export async function settleSession(
  { quota, clock }: Pick<RelayPorts, 'quota' | 'clock'>,
  input: {
    readonly ended: EndedSession;
    readonly hold: Hold;
    /** Limits of the channel of the session. */
    readonly room: Pick<ChannelRoom, 'mark' | 'settle'>;
    readonly transcription: Pick<TranscriptionCalls, 'close' | 'usageOf'>;
    /** The charge of the session itself is booked. */
    readonly onSettled: (finished: FinishedCall) => void;
  },
): Promise<void> {
  const { ended, hold, room, transcription, onSettled } = input;
  const faults: unknown[] = [];
  const attempt = async (step: () => Promise<void>): Promise<void> => {
    try {
      await step();
    } catch (fault) {
      faults.push(fault);
    }
  };
  // From here on nothing more is held for transcripts.
  const calls = transcription.close();
  await attempt(async () => {
    const unmarked = toFinishedCall(clock, ended);
    if (unmarked === undefined) return;
    const finished = room.mark(unmarked);
    await quota.settle(hold, finished);
    room.settle(finished);
    onSettled(finished);
  });
  for (const call of calls) {
    await attempt(async () => {
      const finished = toFinishedTranscripts(clock, ended, call, transcription.usageOf(call));
      if (finished === undefined) quota.release(call.holdRef.hold);
      else await quota.settle(call.holdRef.hold, finished);
    });
  }
  if (faults.length > 0) throw faults[0];
}
