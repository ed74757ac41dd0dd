import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { CloudOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { asApiError } from '../api/error.ts';
import { meQuery } from '../api/ui.ts';
import { shellWords } from '../words.ts';

/** How often a lost server is looked for, in milliseconds. */
const SEARCH_INTERVAL = 5_000;

/** Says that the server is out of reach while older answers are still shown, and asks for everything again once it is back. */
export function Connection() {
  const client = useQueryClient();
  const lost = useLost(client);
  useEffect(() => {
    if (!lost) return;
    const search = setInterval(() => void client.refetchQueries({ queryKey: meQuery.queryKey }), SEARCH_INTERVAL);
    return () => {
      clearInterval(search);
      void client.invalidateQueries();
    };
  }, [client, lost]);
  return lost ? (
    <p className="offline-bar" role="status">
      <CloudOff size={15} aria-hidden />
      {shellWords.offlineBar}
    </p>
  ) : null;
}

/** Whether the last thing that came of a question was that nobody answered. */
function useLost(client: QueryClient): boolean {
  const [lost, setLost] = useState(false);
  useEffect(
    () =>
      client.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated') return;
        const { action } = event;
        if (action.type === 'success') setLost(false);
        else if (action.type === 'failed' || action.type === 'error') setLost(asApiError(action.error).failure === 'offline');
      }),
    [client],
  );
  return lost;
}
