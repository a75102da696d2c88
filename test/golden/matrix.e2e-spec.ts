import { describe, expect, it } from '@jest/globals';
import { ANSWERS, PIECES } from './matrix-answers.js';
import { everyCell } from './matrix-cells.js';
import { playCell } from './play-cell.js';

const CELLS = await everyCell();
/** Vendors whose range of `top_p` is open at zero. */
const OPEN_AT_ZERO: ReadonlySet<string> = new Set(['ali', 'zhipu-v4']);

/** An address without what signs it. */
const plain = (url: string): string => url.split('?')[0] ?? '';

describe('every address of every dialect against every vendor', () => {
  it.each(CELLS.filter(({ address, isRefused }) => address !== undefined && !isRefused))(
    '$name',
    async (cell) => {
      const { ports, reply } = await playCell(cell);
      const [exchange] = ports.sender.exchanges;
      expect({ status: reply.status, said: reply.status === 200 ? '' : reply.text }).toEqual({
        status: 200,
        said: '',
      });
      expect(plain(exchange?.request.url ?? '')).toBe(plain(cell.address ?? ''));
      expect(exchange?.request.url).not.toMatch(/[{}]/);
      const sent = JSON.stringify([exchange?.request.url, exchange?.request.headers]);
      expect(sent).toMatch(
        /sk-upstream-credential-0001|(?:AWS4|TC3)-HMAC-SHA256|Bearer vendor-token|access_token=vendor-token/,
      );
      expect(sent).not.toContain('sk-test');
      // When the channel maps the model, the vendor gets another name than the caller sent.
      if (cell.route.isModelMapped)
        expect(exchange?.request.body?.toString('latin1')).not.toContain('gpt-test');

      if (
        cell.apiFormat === 'openai-chat' &&
        cell.clientRoute.apiFormat.id === cell.apiFormat &&
        !cell.route.isModelMapped
      ) {
        const topP = OPEN_AT_ZERO.has(cell.provider.id) ? 0.01 : 0;
        expect(exchange?.body).toMatchObject({ top_p: topP, vendor_extra: { kept: true } });
        expect(exchange?.body['messages']).toHaveLength(4);
      }

      const isPlain =
        ANSWERS[cell.apiFormat]?.isPlain === true || cell.clientRoute.apiFormat.id === 'openai-completions';
      const pieces = (PIECES[cell.clientRoute.operation] ?? []).slice(0, isPlain ? 1 : undefined);
      for (const piece of pieces) expect(reply.text).toContain(piece);
      const tellsFigures =
        cell.clientRoute.operation === 'chat' && ANSWERS[cell.apiFormat]?.isCounted !== true;
      expect(ports.quota.holds.size).toBe(0);
      expect(ports.quota.settled).toHaveLength(1);
      expect(ports.quota.settled[0]).toMatchObject({
        outcome: 'ok',
        // 40 + 2 × 20
        ...(tellsFigures ? { evidence: 'reported', priced: 80 } : {}),
      });
    },
  );

  it.each(CELLS.filter(({ address, isRefused }) => address === undefined || isRefused))(
    '$name: is refused and free',
    async (cell) => {
      const { ports, reply } = await playCell(cell);
      expect(reply.status).toBeGreaterThanOrEqual(400);
      expect(ports.sender.exchanges).toEqual([]);
      expect(ports.quota.settled).toEqual([]);
      expect(ports.quota.holds.size).toBe(0);
    },
  );
});
