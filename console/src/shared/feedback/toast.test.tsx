import { expect, it } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { toast, Toasts } from './toast';

it('shows the newest good news, and a fault until it was read', () => {
  render(<Toasts />);
  act(() => toast('success', 'Fetched'));
  act(() => toast('success', 'Added'));
  expect(screen.queryByText('Fetched')).toBeNull();
  expect(screen.getByText('Added')).toBeVisible();
  act(() => toast('error', 'It failed'));
  act(() => toast('success', 'Saved'));
  expect(screen.getByText('It failed')).toBeVisible();
});
