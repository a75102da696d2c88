import { ApiError } from '../../../api/api-error';
import { CallRefused } from '../../../api/open-call';
import type { Failure } from './messages';

/** The failure a message keeps; its sentence may be empty, which the page then fills by status. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CallRefused)
    return { status: error.status, code: error.code ?? '', message: error.message, data: error.body };
  if (error instanceof ApiError)
    return { status: error.status, code: error.code ?? '', message: error.message, data: '' };
  return { status: 0, code: '', message: '', data: error instanceof Error ? error.message : String(error) };
}
