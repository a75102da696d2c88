import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../../../common/errors/domain-error.js';
import { checkKeyForm } from './channel-key-form.js';

/** Detail of a refusal; undefined = the key passes. */
function refusalOf(key: string, type: number): unknown {
  try {
    checkKeyForm(key, type);
    return undefined;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { code: error.code, ...error.values };
  }
}

const part = (form: string, name: string) => ({ code: 'channel_key_part', form, part: name });

describe('composite keys are looked at when they are typed', () => {
  it.each([
    ['AKIA|secret|us-east-1', undefined],
    ['AKIA|secret|us-gov-west-1|session', undefined],
    ['api-key|eu-west-1', undefined],
    ['AKIA', part('ACCESS_KEY|SECRET|REGION / API_KEY|REGION', 'REGION')],
    ['AKIA||us-east-1', part('ACCESS_KEY|SECRET|REGION', 'SECRET')],
    ['|secret|us-east-1', part('ACCESS_KEY|SECRET|REGION', 'ACCESS_KEY')],
    ['AKIA|secret|evil.example/x', part('ACCESS_KEY|SECRET|REGION', 'REGION')],
    ['api-key|', part('API_KEY|REGION', 'REGION')],
  ])('Bedrock: %s', (key, refusal) => {
    expect(refusalOf(key, 33)).toEqual(refusal);
  });

  const account = { project_id: 'p-1', client_email: 'a@p-1.example', private_key: 'PEM' };
  const form = '{"project_id": …, "client_email": …, "private_key": …}';
  it.each([
    [JSON.stringify(account), undefined],
    ['AIzaSyA1234567890123456789', undefined],
    [JSON.stringify({ ...account, private_key: undefined }), part(form, 'private_key')],
    [JSON.stringify({ ...account, client_email: 5 }), part(form, 'client_email')],
    [JSON.stringify({ ...account, project_id: 'a/b' }), part(form, 'project_id')],
  ])('Vertex: %s', (key, refusal) => {
    expect(refusalOf(key, 41)).toEqual(refusal);
  });

  it.each([
    ['1|AKID|secret', undefined],
    ['sk-token', undefined],
    ['1|AKID', part('AppId|SecretId|SecretKey', 'SecretKey')],
    ['|AKID|secret', part('AppId|SecretId|SecretKey', 'AppId')],
  ])('Tencent: %s', (key, refusal) => {
    expect(refusalOf(key, 23)).toEqual(refusal);
  });

  it.each([
    ['key|secret', undefined],
    ['key', part('API key|Secret key', 'Secret key')],
    ['|secret', part('API key|Secret key', 'API key')],
    ['key|secret|more', part('API key|Secret key', '…')],
  ])('two parts: %s', (key, refusal) => {
    expect(refusalOf(key, 15)).toEqual(refusal);
  });

  it.each([
    ['app|secret|key', undefined],
    ['the-password', undefined],
    ['app|secret', part('APPID|APISecret|APIKey', 'APIKey')],
    ['app|secret|key|more', part('APPID|APISecret|APIKey', '…')],
  ])('three parts: %s', (key, refusal) => {
    expect(refusalOf(key, 18)).toEqual(refusal);
  });
});
