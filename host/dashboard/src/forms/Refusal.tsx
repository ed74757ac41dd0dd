import { CircleAlert } from 'lucide-react';
import { asApiError } from '../api/error.ts';

/** Why a form or a button was refused, in the server's words, beside what was typed. */
export function Refusal({ of }: { of: Error | null | undefined }) {
  if (!of) return null;
  const { reason, failure } = asApiError(of);
  if (failure === 'aborted') return null;
  return (
    <p className="notice bad" role="alert">
      <CircleAlert size={14} aria-hidden />
      {reason}
    </p>
  );
}
