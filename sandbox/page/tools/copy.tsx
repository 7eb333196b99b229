import { useState } from 'preact/hooks';
import { usePage } from '../page-context.ts';

const SAID_FOR_MS = 1_500;

export function Copy({ text, label }: { text: () => string; label: string }) {
  const { toast } = usePage();
  const [isDone, setDone] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setDone(true);
      setTimeout(() => setDone(false), SAID_FOR_MS);
    } catch {
      toast('The browser did not allow copying.');
    }
  };
  return (
    <button type="button" class="copy" onClick={() => void copy()}>
      {isDone ? 'Copied' : label}
    </button>
  );
}
