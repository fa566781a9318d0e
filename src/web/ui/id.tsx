// A long id that breaks at its hyphens, and anywhere only where there is no room for a part.
import { Fragment } from 'react'

export function Id({ children }: { children: string }) {
  return (
    <span className="break-words">
      {children.split('-').map((part, nth) => (
        <Fragment key={nth}>
          {nth > 0 && (
            <>
              -
              <wbr />
            </>
          )}
          {part}
        </Fragment>
      ))}
    </span>
  )
}
