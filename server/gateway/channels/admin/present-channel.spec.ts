import { describe, expect, it } from '@jest/globals';
import { maskProxyPassword, restoreProxyPassword } from './present-channel.js';

const withProxy = (proxy: string): string => JSON.stringify({ proxy, force_format: true });

describe('proxy passwords', () => {
  it('hides them when a channel is shown', () => {
    expect(maskProxyPassword(withProxy('http://user:secret@p.example:8080'))).toBe(
      withProxy('http://user:******@p.example:8080'),
    );
    expect(maskProxyPassword(withProxy('socks5://user:s%40cret@p.example:1080'))).not.toContain('cret@');
    expect(maskProxyPassword(withProxy('http://p.example:8080'))).toBe(withProxy('http://p.example:8080'));
    expect(maskProxyPassword('')).toBe('');
  });

  it('brings them back only where the same proxy is saved again', () => {
    const stored = withProxy('http://user:secret@p.example:8080');
    const sent = (proxy: string): string => restoreProxyPassword(withProxy(proxy), stored);
    expect(sent('http://user:******@p.example:8080')).toContain('user:secret@p.example');
    expect(sent('http://user:******@evil.example:8080')).not.toContain('secret');
    expect(sent('http://other:******@p.example:8080')).not.toContain('secret');
    expect(sent('http://user:new@p.example:8080')).toContain('user:new@');
  });
});
