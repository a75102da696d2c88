import { afterEach, expect, it, jest } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { onlineManager } from '@tanstack/react-query';
import { renderElement } from '../../testing/render';
import { ListToolbar } from './list-toolbar';

afterEach(() => act(() => onlineManager.setOnline(true)));

it('refreshes while the browser is online, and gives the reason while it is not', async () => {
  const onRefresh = jest.fn();
  const { user } = renderElement(<ListToolbar onRefresh={onRefresh} />);
  const refresh = await screen.findByRole('button', { name: 'Refresh' });
  await user.click(refresh);
  expect(onRefresh).toHaveBeenCalledTimes(1);
  act(() => onlineManager.setOnline(false));
  await user.click(refresh);
  expect(onRefresh).toHaveBeenCalledTimes(1);
  expect(await screen.findByText(/^You are offline/)).toBeVisible();
});
