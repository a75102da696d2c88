import { afterEach, describe, expect, it, jest } from '@jest/globals';
import i18next from 'i18next';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { aStatus, NOON } from '../../testing/builders';
import { FakeApi, pageOf } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';
import type { Redemption } from './api';
import { redemptionStatus } from './redemption.labels';
import { NEW_REDEMPTION, redemptionSchema } from './redemption.schema';

let api: FakeApi;
afterEach(() => api.stop());

function aCode(parts: Partial<Redemption> = {}): Redemption {
  return {
    id: 4,
    user_id: 1,
    key: '0123456789abcdef0123456789abcdef',
    status: 1,
    name: 'spring',
    quota: 5_000_000,
    created_time: NOON - 3_600,
    redeemed_time: 0,
    expired_time: 0,
    used_user_id: 0,
    count: 0,
    DeletedAt: null,
    ...parts,
  };
}

const USED = aCode({ id: 5, name: 'winter', status: 3, used_user_id: 2, redeemed_time: NOON - 60 });

function codesApi(codes: readonly Redemption[] = [aCode(), USED]): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/redemption/search': pageOf(codes),
    'GET /api/user/search': pageOf([]),
    'GET /api/redemption/4': { data: aCode() },
    'GET /api/redemption/5': { data: USED },
  });
  return api;
}

const rowOf = async (name: string) => (await screen.findByText(name)).closest('tr') as HTMLElement;

describe('redemption codes', () => {
  it('refuses ordinary users', async () => {
    codesApi();
    renderConsole('/redemption', api, { role: 1 });
    expect(await screen.findByText('You don’t have access to this page')).toBeVisible();
  });

  it('lists worth, state and who redeemed; the code itself is masked until asked', async () => {
    codesApi();
    const { user } = renderConsole('/redemption', api, { role: 10 });
    const used = within(await rowOf('winter'));
    expect(used.getByText('Used')).toBeVisible();
    expect(await used.findByRole('link', { name: '#2' })).toHaveAttribute('href', '/user/2');
    const unused = within(await rowOf('spring'));
    expect(unused.getByText('$10.00')).toBeVisible();
    expect(unused.queryByText(aCode().key)).toBeNull();
    await user.click(unused.getByRole('button', { name: 'Show the code spring #4' }));
    expect(unused.getByText(aCode().key)).toBeVisible();
  });

  it('locks used codes: no editing, no switching', async () => {
    codesApi();
    const { user } = renderConsole('/redemption', api, { role: 10 });
    const used = await rowOf('winter');
    await user.click(within(used).getByRole('button', { name: 'Actions for winter #5' }));
    expect(await screen.findByRole('menuitem', { name: 'Edit' })).toHaveAttribute('aria-disabled', 'true');
    expect(screen.getByRole('menuitem', { name: 'Disable' })).toHaveAttribute('aria-disabled', 'true');
    expect(screen.getByRole('menuitem', { name: 'Delete' })).not.toHaveAttribute('aria-disabled');
  });

  it('does not open a used code for editing by its address either', async () => {
    codesApi();
    renderConsole('/redemption?edit=5', api, { role: 10 });
    const drawer = within(await screen.findByRole('dialog', { name: 'Edit redemption code' }));
    expect(await drawer.findByText(/Only unused codes can be edited/)).toBeVisible();
    expect(drawer.queryByRole('button', { name: 'Save' })).toBeNull();
  });

  it('makes many at once and hands them over for copying and download', async () => {
    codesApi().answer({ 'POST /api/redemption': { data: ['aaa', 'bbb', 'ccc'] } });
    const { user } = renderConsole('/redemption?edit=new', api, { role: 10 });
    const written = jest.spyOn(navigator.clipboard, 'writeText');
    const drawer = within(await screen.findByRole('dialog', { name: 'Add redemption codes' }));
    await user.type(drawer.getByLabelText(/^Name/), 'party');
    const count = drawer.getByLabelText(/^Number of codes/);
    await user.clear(count);
    await user.type(count, '3');
    await user.click(drawer.getByRole('button', { name: 'Create' }));
    const made = within(await screen.findByRole('dialog', { name: /3 codes created/ }));
    expect(made.getByRole('textbox')).toHaveValue('aaa\nbbb\nccc');
    expect(api.made('POST /api/redemption')[0]?.body).toEqual({
      name: 'party',
      quota: 100_000,
      count: 3,
      expired_time: 0,
    });
    await user.click(made.getByRole('button', { name: 'Copy 3 codes' }));
    await waitFor(() => expect(written).toHaveBeenCalledWith('aaa\nbbb\nccc'));
    expect(made.getByRole('button', { name: 'Download as text' })).toBeEnabled();
  });

  it('refuses names, counts and worths the server would refuse, before asking it', async () => {
    codesApi();
    const { user } = renderConsole('/redemption?edit=new', api, { role: 10 });
    const drawer = within(await screen.findByRole('dialog', { name: 'Add redemption codes' }));
    await user.type(drawer.getByLabelText(/^Name/), 'n'.repeat(21));
    const count = drawer.getByLabelText(/^Number of codes/);
    await user.clear(count);
    await user.type(count, '101');
    const quota = drawer.getByLabelText(/^Quota per code$/);
    await user.clear(quota);
    await user.type(quota, '0');
    await user.click(drawer.getByRole('button', { name: 'Create' }));
    expect((await drawer.findAllByText('The name must have 1 to 20 characters')).length).toBeGreaterThan(0);
    expect(drawer.getAllByText('Please enter a whole number from 1 to 100').length).toBeGreaterThan(0);
    expect(drawer.getAllByText('At least 1').length).toBeGreaterThan(0);
    expect(api.made('POST /api/redemption')).toEqual([]);
  });

  it('makes codes once, however quickly Enter is pressed again', async () => {
    codesApi().answer({ 'POST /api/redemption': { data: ['aaa'] } });
    const { user } = renderConsole('/redemption?edit=new', api, { role: 10 });
    const drawer = within(await screen.findByRole('dialog', { name: 'Add redemption codes' }));
    const name = drawer.getByLabelText<HTMLInputElement>(/^Name/);
    await user.type(name, 'party');
    // Default action of Control and Enter in a text field without a handler.
    const isLeftToTheForm = fireEvent.keyDown(name, { key: 'Enter', ctrlKey: true });
    if (isLeftToTheForm) fireEvent.submit(name.form as HTMLFormElement);
    fireEvent.submit(name.form as HTMLFormElement);
    expect(await screen.findByRole('dialog', { name: /1 code/ })).toBeVisible();
    expect(api.made('POST /api/redemption')).toHaveLength(1);
  });

  it('edits an unused code', async () => {
    codesApi().answer({ 'PUT /api/redemption': { data: aCode() } });
    const { user } = renderConsole('/redemption?edit=4', api, { role: 10 });
    const drawer = within(await screen.findByRole('dialog', { name: 'Edit redemption code' }));
    const name = await drawer.findByDisplayValue('spring');
    await user.clear(name);
    await user.type(name, 'summer');
    await user.click(drawer.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Code updated')).toBeVisible();
    expect(api.made('PUT /api/redemption')[0]?.body).toEqual({
      id: 4,
      name: 'summer',
      quota: 5_000_000,
      expired_time: 0,
    });
  });

  it('asks before it disables, and enables again at once', async () => {
    codesApi([aCode(), aCode({ id: 6, name: 'off', status: 2 })]).answer({
      'PUT /api/redemption': { data: aCode() },
    });
    const { user } = renderConsole('/redemption', api, { role: 10 });
    await user.click(await screen.findByRole('button', { name: 'Actions for spring #4' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Disable' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Disable spring?' }));
    await user.click(question.getByRole('button', { name: 'Disable' }));
    expect(await screen.findByText('spring is disabled')).toBeVisible();
    await user.click(await screen.findByRole('button', { name: 'Actions for off #6' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Enable' }));
    expect(await screen.findByText('off is enabled')).toBeVisible();
    expect(api.made('PUT /api/redemption').map(({ body }) => body)).toEqual([
      { id: 4, status: 2 },
      { id: 6, status: 1 },
    ]);
    expect(api.made('PUT /api/redemption')[0]?.query.get('status_only')).toBe('true');
  });

  it('deletes an unused code at once with an undo, and asks before it deletes a used one', async () => {
    codesApi().answer({
      'DELETE /api/redemption/4': { data: null },
      'DELETE /api/redemption/5': { data: null },
      'POST /api/redemption/restore': { data: 1 },
    });
    const { user } = renderConsole('/redemption', api, { role: 10 });
    await user.click(await screen.findByRole('button', { name: 'Actions for spring #4' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    expect(await screen.findByText('spring is deleted')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Restored')).toBeVisible();
    expect(api.made('POST /api/redemption/restore').map(({ body }) => body)).toEqual([{ ids: [4] }]);
    await user.click(screen.getByRole('button', { name: 'Actions for winter #5' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Delete winter?' }));
    await user.click(question.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('winter is deleted')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  it('cleans up after a question, and restores what can be restored by one undo', async () => {
    codesApi().answer({
      'DELETE /api/redemption/invalid': { data: 3, members: { ids: [7, 8] } },
      'POST /api/redemption/restore': { data: 2 },
    });
    const { user } = renderConsole('/redemption', api, { role: 10 });
    await user.click(await screen.findByRole('button', { name: 'Delete invalid codes' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Delete all invalid codes?' }));
    await user.click(question.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('3 codes deleted')).toBeVisible();
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Restored')).toBeVisible();
    expect(api.made('POST /api/redemption/restore').map(({ body }) => body)).toEqual([{ ids: [7, 8] }]);
  });

  it('copies the selected codes with their names', async () => {
    codesApi();
    const { user } = renderConsole('/redemption', api, { role: 10 });
    const written = jest.spyOn(navigator.clipboard, 'writeText');
    await user.click(await screen.findByRole('checkbox', { name: 'Select spring #4' }));
    await user.click(screen.getByRole('button', { name: 'Copy selected codes' }));
    await waitFor(() => expect(written).toHaveBeenCalledWith(`spring    ${aCode().key}`));
  });

  it('searches by what is typed', async () => {
    codesApi();
    const { user } = renderConsole('/redemption', api, { role: 10 });
    await user.type(await screen.findByRole('searchbox'), 'spr{Enter}');
    const asked = () => api.made('GET /api/redemption/search').map(({ query }) => query.get('keyword'));
    await waitFor(() => expect(asked()).toEqual([null, 'spr']));
    expect(screen.getByText('Id or name: spr…')).toBeVisible();
  });

  it('shows root who made codes and what became of them', async () => {
    codesApi().answer({
      'GET /api/redemption/creators': {
        data: [
          {
            user_id: 3,
            username: 'bert',
            created: 20,
            created_quota: 10_000_000,
            used: 4,
            used_quota: 2_000_000,
            used_by_creator: 1,
          },
        ],
      },
    });
    const { user } = renderConsole('/redemption', api);
    await user.click(await screen.findByRole('button', { name: 'By creator' }));
    const dialog = within(await screen.findByRole('dialog', { name: /Codes by creator/ }));
    expect(await dialog.findByText('bert')).toBeVisible();
    expect(dialog.getByText('$4.00')).toBeVisible();
  });

  it.each([
    ['never', undefined, []],
    ['a moment to come', NOON * 2, []],
    ['a moment that passed', NOON - 1, ['Please enter a time in the future']],
    ['a text that is no date', Number.NaN, ['Please enter a time in the future']],
  ])('judges an expiry: %s', (_, expires, faults) => {
    const judged = redemptionSchema(i18next.t).safeParse({ ...NEW_REDEMPTION, name: 'spring', expires });
    expect((judged.error?.issues ?? []).map(({ message }) => message)).toEqual(faults);
  });

  it('counts an unused code whose time is over as expired', () => {
    expect(redemptionStatus({ status: 1, expired_time: NOON }, NOON).word).toBe('expired');
    expect(redemptionStatus({ status: 1, expired_time: NOON + 1 }, NOON).word).toBe('unused');
    expect(redemptionStatus({ status: 3, expired_time: NOON }, NOON).word).toBe('used');
    expect(redemptionStatus({ status: 9, expired_time: 0 }, NOON).word).toBe('unknown');
  });
});
