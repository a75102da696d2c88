import { expect, it } from '@jest/globals';
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

it('says the same words anew, once', () => {
  render(<Toasts />);
  for (const tone of ['success', 'error'] as const) {
    act(() => toast(tone, 'Again'));
    const first = screen.getByText('Again');
    act(() => toast(tone, 'Again'));
    expect(screen.getByText('Again')).not.toBe(first);
    expect(first).not.toBeInTheDocument();
  }
});
