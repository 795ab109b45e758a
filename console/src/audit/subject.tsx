import { Link } from '@tanstack/react-router';
import type { AuditEntry } from '../../../sdk/typescript/generated';

/** The changed object, with a link if it has a page. */
export function Subject({ of: { action, subject_id: id, subject_name: name } }: { of: AuditEntry }) {
  switch (action.split('.')[0]) {
    case 'campaign':
      return (
        <Link to="/campaigns/$campaignId" params={{ campaignId: id }}>
          {name ?? id}
        </Link>
      );
    case 'agent':
      return name === null ? (
        <span className="mono">{id}</span>
      ) : (
        <Link to="/agents/$agentId" params={{ agentId: id }}>
          {name}
        </Link>
      );
    case 'call':
      return (
        <Link to="/calls/$callId" params={{ callId: id }} className="mono">
          {id}
        </Link>
      );
    case 'delivery':
      return <span className="mono">{id}</span>;
    case 'key':
    case 'console':
      return name;
    default:
      return null;
  }
}
