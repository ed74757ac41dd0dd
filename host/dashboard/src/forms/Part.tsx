import type { ReactNode } from 'react';

/** One subject of a settings page: what it is, and its fields. */
export function Part({ title, help, children, tone = 'plain', action }: { title: string; help?: ReactNode; children?: ReactNode; tone?: 'plain' | 'danger'; action?: ReactNode }) {
  return (
    <section className={`part ${tone}`} aria-label={title}>
      <div className="part-head">
        <div className="grow">
          <h2>{title}</h2>
          {help !== undefined && <p className="help">{help}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}
