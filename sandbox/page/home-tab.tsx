import type { ViewRecord } from '../slack/types.ts';
import { Blocks } from './blocks.tsx';
import { usePage } from './page-context.ts';
import { SurfaceContext } from './surface.ts';
import { useViewSurface } from './view-surface.ts';

/** What the app has published for this person; their opening it is what most apps publish at. */
export function HomeTab() {
  const { snapshot, me } = usePage();
  const view = snapshot.homes[me];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must reach it
    <div class="home" tabIndex={0}>
      {view ? (
        <HomeView key={view.id} view={view} />
      ) : (
        <p class="home-empty">{snapshot.app.name} has put nothing here for you yet.</p>
      )}
    </div>
  );
}

function HomeView({ view }: { view: ViewRecord }) {
  const { surface } = useViewSurface(view);
  return (
    <SurfaceContext.Provider value={surface}>
      {view.trouble && (
        <p class="trouble" role="alert">
          {view.trouble}
        </p>
      )}
      <Blocks blocks={view.blocks} />
    </SurfaceContext.Provider>
  );
}
