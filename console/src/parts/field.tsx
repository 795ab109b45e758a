import { useId, type ReactNode } from 'react';

interface FieldProps {
  label: string;
  help?: ReactNode;
  fault?: string | undefined;
  className?: string;
  /** Renders the input with attributes that link it to its label, help text and error message. */
  children: (ties: {
    id: string;
    'aria-describedby': string | undefined;
    'aria-invalid': boolean;
  }) => ReactNode;
}

export function Field({ label, help, fault, className = '', children }: FieldProps) {
  const id = useId();
  const described = [help !== undefined && `${id}-help`, fault !== undefined && `${id}-fault`].filter(
    Boolean,
  );
  return (
    <div className={`field ${className}`}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-describedby': described.length === 0 ? undefined : described.join(' '),
        'aria-invalid': fault !== undefined,
      })}
      {help !== undefined && (
        <span className="help" id={`${id}-help`}>
          {help}
        </span>
      )}
      {fault !== undefined && (
        <span className="fault" id={`${id}-fault`} role="alert">
          {fault}
        </span>
      )}
    </div>
  );
}
