import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { ConsoleSession } from '../../../sdk/typescript/generated';
import {
  AgentsIcon,
  AuditIcon,
  CallsIcon,
  CampaignsIcon,
  ContactListsIcon,
  KeysIcon,
  OperationsIcon,
} from './icons';
import { useSession, useSignOut, useScopes } from './session';

const PAGES = [
  { to: '/campaigns', title: 'Campaigns', Icon: CampaignsIcon },
  { to: '/contact-lists', title: 'Contact lists', Icon: ContactListsIcon },
  { to: '/calls', title: 'Calls', Icon: CallsIcon },
  { to: '/agents', title: 'Agents', Icon: AgentsIcon },
  { to: '/operations', title: 'Operations', Icon: OperationsIcon },
  { to: '/audit', title: 'Audit', Icon: AuditIcon, needs: 'configure' },
  { to: '/keys', title: 'Keys', Icon: KeysIcon, needs: 'configure' },
] as const;

export function Layout() {
  const { data: session } = useSession();
  const scopes = useScopes();
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const shown = useRef(path);

  // Moves the focus to the new page, as a full page load would, so that screen readers continue there.
  useEffect(() => {
    if (shown.current !== path) main.current?.focus();
    shown.current = path;
  }, [path]);

  return (
    <div className="frame">
      <a className="skip" href="#content">
        Skip to content
      </a>
      <aside className="side" aria-label="Console">
        <div className="brand">
          <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" />
          <span>Console</span>
        </div>
        <nav className="parts" aria-label="Main">
          <ul>
            {PAGES.filter((page) => !('needs' in page) || scopes.includes(page.needs)).map(
              ({ to, title, Icon }) => (
                <li key={to}>
                  <Link to={to}>
                    <Icon />
                    {title}
                  </Link>
                </li>
              ),
            )}
          </ul>
        </nav>
        <nav className="elsewhere" aria-label="Other pages">
          {scopes.includes('operate') && <Link to="/try">Try an agent</Link>}
          <a href="/api/docs">API</a>
        </nav>
        {session && <Account session={session} />}
      </aside>
      <main id="content" ref={main} tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}

function Account({ session }: { session: ConsoleSession }) {
  const { mutate, isPending } = useSignOut();
  return (
    <div className="who">
      <strong>{session.organization}</strong>
      <p className="soft">Key {session.key_name}</p>
      <button type="button" className="button" disabled={isPending} onClick={() => mutate()}>
        Sign out
      </button>
    </div>
  );
}
