import { useEffect, useState } from 'preact/hooks';

type Theme = 'system' | 'light' | 'dark';

const KEY = 'proxy-desk-sandbox-theme';
const NEXT = { system: 'light', light: 'dark', dark: 'system' } as const;

/** Follows the system until somebody says otherwise. */
export function useTheme(): { theme: Theme; turn: () => void } {
  const [theme, setTheme] = useState<Theme>(() => readTheme(localStorage.getItem(KEY)));
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
    localStorage.setItem(KEY, theme);
  }, [theme]);
  return { theme, turn: () => setTheme(NEXT[theme]) };
}

function readTheme(saved: string | null): Theme {
  return saved === 'light' || saved === 'dark' ? saved : 'system';
}
