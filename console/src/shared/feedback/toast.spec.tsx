import { describe, expect, it, jest } from '@jest/globals';
import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { toast } from './toast';
import { ToastList as Toasts } from './toast-list';

it('shows the newest good news, and beside it a fault until it was read', async () => {
  const user = userEvent.setup({ delay: null });
  render(<Toasts />);
  act(() => toast('success', 'Fetched'));
  act(() => toast('success', 'Added'));
  expect(screen.queryByText('Fetched')).toBeNull();
  expect(screen.getByText('Added')).toBeVisible();
  act(() => toast('error', 'It failed'));
  act(() => toast('success', 'Saved'));
  expect(screen.getByText('It failed')).toBeVisible();
  expect(screen.getByText('Saved')).toBeVisible();
  await user.click(within(screen.getByRole('alert')).getByRole('button', { name: 'Close' }));
  expect(screen.queryByText('It failed')).toBeNull();
  expect(screen.getByText('Saved')).toBeVisible();
});

it('repeats the same words once', () => {
  render(<Toasts />);
  for (const tone of ['success', 'error'] as const) {
    act(() => toast(tone, 'Again'));
    const first = screen.getByText('Again');
    act(() => toast(tone, 'Again'));
    expect(screen.getByText('Again')).not.toBe(first);
    expect(first).not.toBeInTheDocument();
  }
});

describe('a toast with a button', () => {
  const shownUndo = () => screen.queryAllByRole('button', { name: 'Undo' });

  it('stays beside newer good news for more than ten seconds, as a status', () => {
    jest.useFakeTimers();
    try {
      render(<Toasts />);
      const run = jest.fn();
      act(() => toast('success', 'One was deleted', { label: 'Undo', run }));
      act(() => toast('success', 'Two was deleted', { label: 'Undo', run }));
      for (const text of ['Saved', 'Added', 'Fetched', 'Copied']) act(() => toast('success', text));
      act(() => jest.advanceTimersByTime(11_000));
      expect(shownUndo()).toHaveLength(2);
      expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toEqual([
        'One was deletedUndo',
        'Two was deletedUndo',
      ]);
      act(() => jest.advanceTimersByTime(2_000));
      expect(run).not.toHaveBeenCalled();
    } finally {
      jest.useRealTimers();
    }
  });

  it('runs its action once and leaves', async () => {
    const user = userEvent.setup({ delay: null });
    render(<Toasts />);
    const run = jest.fn();
    act(() => toast('success', 'Three was deleted', { label: 'Undo', run }));
    await user.dblClick(shownUndo().at(-1) as HTMLElement);
    expect(run).toHaveBeenCalledTimes(1);
    expect(screen.queryByText('Three was deleted')).toBeNull();
  });

  it('runs by Ctrl Z the newest one, and leaves the keys of fields alone', async () => {
    const user = userEvent.setup({ delay: null });
    render(
      <>
        <input aria-label="Name" />
        <Toasts />
      </>,
    );
    const [first, second] = [jest.fn(), jest.fn()];
    act(() => toast('success', 'Four was deleted', { label: 'Undo', run: first }));
    act(() => toast('success', 'Five was deleted', { label: 'Undo', run: second }));
    await user.click(screen.getByRole('textbox', { name: 'Name' }));
    await user.keyboard('{Control>}z{/Control}');
    expect(second).not.toHaveBeenCalled();
    await user.click(document.body);
    await user.keyboard('{Control>}z{/Control}');
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([0, 1]);
    await user.keyboard('{Control>}z{/Control}');
    expect(first).toHaveBeenCalledTimes(1);
    await user.keyboard('{Control>}z{/Control}');
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1]);
  });
});
