import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { onlineManager } from '@tanstack/react-query';
import { aStatus } from '../../testing/builders';
import { FakeApi } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
beforeEach(() => {
  api = new FakeApi({ 'GET /api/status': { data: aStatus() }, 'GET /api/notice': { data: '' } });
});
afterEach(() => {
  act(() => onlineManager.setOnline(true));
  api.stop();
});

it('shows that the browser is offline until it is back', async () => {
  renderConsole('/nowhere', api, null);
  expect(await screen.findByText('This page does not exist')).toBeVisible();
  expect(screen.queryByText(/^You are offline/)).toBeNull();
  act(() => onlineManager.setOnline(false));
  expect(screen.getByText(/^You are offline/)).toBeVisible();
  act(() => onlineManager.setOnline(true));
  expect(screen.queryByText(/^You are offline/)).toBeNull();
});
