// Preloaded into the gateway of the screenshots: its calendar is as far from ours as the file SHIFTED_CLOCK says, in
// milliseconds, so that one run leaves rows of a whole week. What is measured by the monotonic clock stays true.
import { readFileSync } from 'node:fs';

const file = process.env.SHIFTED_CLOCK;
const RealDate = Date;

const shiftedMs = () => RealDate.now() + Number(readFileSync(file, 'utf8'));

globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(shiftedMs());
    else super(...parts);
  }
  static now() {
    return shiftedMs();
  }
};
