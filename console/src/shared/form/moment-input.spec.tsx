import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { changeLanguage } from '../../i18n';
import { readWrittenTime, writtenTime } from '../format/timestamp';
import { MomentInput } from './moment-input';

const NINE = readWrittenTime('2026-11-21 09:05') ?? Number.NaN;

function fieldWith(first: number | undefined) {
  const changes = jest.fn<(seconds: number | undefined) => void>();
  function Field() {
    const [value, setValue] = useState(first);
    return (
      <MomentInput
        value={value}
        inputProps={{ 'aria-label': 'Until' }}
        onChange={(seconds) => {
          changes(seconds);
          setValue(seconds);
        }}
      />
    );
  }
  render(<Field />);
  return { user: userEvent.setup(), changes, input: screen.getByLabelText('Until') };
}

describe('a field for a moment', () => {
  afterEach(() => changeLanguage('en'));

  it('writes its moment as the console writes all of them', () => {
    expect(fieldWith(NINE).input).toHaveValue('2026-11-21 09:05');
  });

  it('keeps what is typed, and writes it in full when it is left', async () => {
    const { user, changes, input } = fieldWith(undefined);
    await user.type(input, '2026/11/21 9:05');
    expect(input).toHaveValue('2026/11/21 9:05');
    expect(changes).toHaveBeenLastCalledWith(NINE);
    await user.tab();
    expect(input).toHaveValue('2026-11-21 09:05');
  });

  it('reports a text that is no moment, and leaves it to be corrected', async () => {
    const { user, changes, input } = fieldWith(NINE);
    await user.clear(input);
    expect(changes).toHaveBeenLastCalledWith(undefined);
    await user.type(input, 'soon');
    await user.tab();
    expect(changes).toHaveBeenLastCalledWith(Number.NaN);
    expect(input).toHaveValue('soon');
  });

  it.each([
    ['en', 'Open the calendar', 'Go to the Next Month', 'December 2026', 'Sunday'],
    ['zh', '打开日历', '前往下个月', '2026年12月', '星期一'],
  ] as const)('takes a day from a calendar in %s by the keyboard, at the same hour', async (...row) => {
    const [language, open, next, month, firstWeekday] = row;
    await changeLanguage(language);
    const { user, changes, input } = fieldWith(NINE);
    await user.click(screen.getByRole('button', { name: open }));
    const calendar = await screen.findByRole('dialog', { name: open });
    expect(within(calendar).getAllByRole('columnheader', { hidden: true })[0]).toHaveAccessibleName(
      firstWeekday,
    );
    await user.click(within(calendar).getByRole('button', { name: next }));
    expect(within(calendar).getByRole('grid')).toHaveAccessibleName(month);
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: open }));
    await screen.findByRole('dialog', { name: open });
    await user.keyboard('{ArrowRight}{ArrowDown}{Enter}');
    expect(changes).toHaveBeenLastCalledWith(readWrittenTime('2026-11-29 09:05'));
    expect(input).toHaveValue('2026-11-29 09:05');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('begins at the first minute of the day chosen in an empty field', async () => {
    const { user, input } = fieldWith(undefined);
    await user.click(screen.getByRole('button', { name: 'Open the calendar' }));
    const calendar = await screen.findByRole('dialog', { name: 'Open the calendar' });
    await user.click(within(calendar).getByRole('button', { name: /^Today, / }));
    expect(input).toHaveValue(`${writtenTime(Math.floor(Date.now() / 1000)).slice(0, 10)} 00:00`);
  });
});
