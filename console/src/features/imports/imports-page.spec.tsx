import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { aStatus, NOON } from '../../testing/builders';
import { FakeApi, type Routes } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';
import type { ImportReport, ImportRun, ImportState } from './api';

let api: FakeApi;
afterEach(() => api.stop());

const REPORT: ImportReport = {
  import_id: 1,
  product: 'one-api',
  version: '0.6',
  warnings: ['one-api.db uses a write-ahead log'],
  counts: [{ kind: 'user', found: 3, added: 2, unchanged: 0, moved: 0, left_out: 1 }],
  notes: Array.from({ length: 12 }, (_, index) => ({
    kind: 'key-off',
    table: 'tokens',
    id: String(index + 1),
    sentence: 'its owner may not use the group vip',
  })),
  further_notes: 4,
  numbers: [{ kind: 'channel', from: '7', to: 12 }],
  sums: [
    {
      name: 'balances',
      source: '10',
      here: '9',
      explained: [{ why: 'rounding', amount: '1' }],
      is_equal: true,
    },
  ],
  options: {
    taken: [],
    refused: [],
    unknown: ['Footer'],
    differences: [
      { key: 'GroupRatio', section: 'prices', here: '{}', there: '{"vip":2}' },
      { key: 'SMTPToken', section: 'installation', here: null, there: null },
    ],
  },
  log_lines: null,
};

function aRun(parts: Partial<ImportRun> = {}): ImportRun {
  return {
    id: 1,
    kind: 'trial',
    status: 'done',
    import_id: 0,
    source: 'mysql db.example:3306/oneapi',
    part: '',
    done: 0,
    found: 0,
    part_ms: 0,
    fault: '',
    stop_asked: false,
    started_at: NOON,
    ended_at: NOON,
    report: null,
    ...parts,
  };
}

function importsApi(parts: Partial<ImportState> = {}, run: Routes[string] = { data: 2 }): FakeApi {
  const data: ImportState = {
    run: null,
    busy_place: '',
    file: null,
    max_file_bytes: 1_000_000,
    chunk_bytes: 1_000,
    is_empty: true,
    imports: [],
    ...parts,
  };
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/import': { data },
    'POST /api/import/run': run,
    'POST /api/import/run/stop': { data: null },
  });
  return api;
}

describe('the page of imports', () => {
  it('tries an address out before anything is written', async () => {
    const { user } = renderConsole('/setting/import', importsApi());
    expect(await screen.findByRole('button', { name: 'Import' })).toBeDisabled();
    await user.type(screen.getByLabelText('Address of the database'), 'mysql://u:p@db.example/oneapi');
    await user.click(screen.getByRole('checkbox', { name: 'Orders' }));
    await user.click(screen.getByRole('button', { name: 'Trial run' }));
    await waitFor(() => expect(api.made('POST /api/import/run')).toHaveLength(1));
    expect(api.made('POST /api/import/run')[0]?.body).toMatchObject({
      trial: true,
      address: 'mysql://u:p@db.example/oneapi',
      parts: ['users', 'tokens', 'channels', 'codes', 'options'],
      sections: null,
      log_days: null,
    });
  });

  it('repeats a request that reached another instance than the file', async () => {
    const file = {
      id: 'f',
      name: 'one-api.db',
      size: 9,
      received: 9,
      log_received: 0,
      place: 'cellar:3000',
    };
    let asked = 0;
    const fake = importsApi({ file }, () => {
      asked += 1;
      return asked < 3 ? { refused: 'elsewhere', members: { code: 'import_file_elsewhere' } } : { data: 2 };
    });
    const { user } = renderConsole('/setting/import', fake);
    expect(await screen.findByText(/The file is on cellar:3000/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Trial run' }));
    await waitFor(() => expect(asked).toBe(3));
    expect(screen.queryByText('elsewhere')).not.toBeInTheDocument();
  });

  it('hides the address as it is typed', async () => {
    renderConsole('/setting/import', importsApi());
    expect(await screen.findByLabelText('Address of the database')).toHaveAttribute('type', 'password');
  });

  it('shows rows, rate and time left, and stops', async () => {
    const run = aRun({
      kind: 'import',
      status: 'running',
      part: 'token',
      done: 50,
      found: 100,
      part_ms: 10_000,
    });
    const { user } = renderConsole('/setting/import', importsApi({ run }));
    expect(await screen.findByText('API keys: 50 of 100, 5 rows/s, 10 s left')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Trial run' })).toBeDisabled();
    await user.click(screen.getByRole('button', { name: 'Stop' }));
    await waitFor(() => expect(api.made('POST /api/import/run/stop')).toHaveLength(1));
  });

  it.each([
    [
      aRun({ status: 'failed', fault: 'no server answers at the address' }),
      'no server answers at the address',
    ],
    [aRun({ status: 'lost' }), /goes on where it stopped/],
  ])('says how a run ended', async (run, text) => {
    renderConsole('/setting/import', importsApi({ run }));
    expect(await screen.findByText(text)).toBeVisible();
  });

  it('names the host of a run from the command line', async () => {
    renderConsole('/setting/import', importsApi({ busy_place: 'web-1 (process 7)' }));
    expect(await screen.findByText('An import runs on web-1 (process 7).')).toBeVisible();
  });

  it('lists what needs an act, counts, sums and settings, and takes the ticked sections', async () => {
    const { user } = renderConsole(
      '/setting/import',
      importsApi({ run: aRun({ report: REPORT }), is_empty: false }),
    );
    const report = within(await screen.findByRole('region', { name: 'Report: one-api 0.6' }));
    expect(report.getByText('API keys that will be off (12)')).toBeVisible();
    expect(report.getAllByText(/its owner may not use/)).toHaveLength(10);
    await user.click(report.getByRole('button', { name: 'Show all 12' }));
    expect(report.getAllByText(/its owner may not use/)).toHaveLength(12);
    expect(report.getByText('4 further rows are not listed.')).toBeVisible();
    expect(report.getByText('Channels 7 is 12 here')).toBeVisible();
    expect(report.getAllByText('A secret')).toHaveLength(2);
    // An installation in use takes no settings unless they are ticked.
    const prices = report.getByRole('checkbox', { name: 'Prices' });
    expect(prices).not.toBeChecked();
    await user.click(prices);
    await user.type(screen.getByLabelText('Address of the database'), 'mysql://u:p@db.example/oneapi');
    await user.click(screen.getByRole('button', { name: 'Import' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Import' }));
    await waitFor(() =>
      expect(api.made('POST /api/import/run')[0]?.body).toMatchObject({ trial: false, sections: ['prices'] }),
    );
  });
});
