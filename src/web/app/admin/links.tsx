// The links of the admin area: to a record by its name, back to a list, and to the neighbors of a record.
import { Fragment, type ComponentProps } from 'react'
import { Link, parsePath } from 'react-router'
import { ButtonLink } from '../../components/button.tsx'
import type { Verdict } from '#contract/checks.ts'
import type { Neighbors } from '#contract/fields.ts'
import { ArrowLeft } from '../../components/further-icons.tsx'
import { ArrowRight } from '../../components/icons.tsx'

type LinkProps = ComponentProps<typeof Link>

/** Links in running text of any color. */
export function TextLink({ className = '', ...rest }: LinkProps) {
  return <Link className={`rounded-sm text-ink underline underline-offset-4 ${className}`} {...rest} />
}

export function StrongLink({ className = '', ...rest }: LinkProps) {
  return <Link className={`rounded-sm font-semibold underline underline-offset-4 ${className}`} {...rest} />
}

type ActionLinkProps = { action: Verdict['actions'][number]; isFromSetup?: boolean | undefined }

/** Links to where a check says to act. */
export function ActionLink({ action: { label, to }, isFromSetup = false }: ActionLinkProps) {
  if (to.startsWith('https:'))
    return (
      <StrongLink to={to} target="_blank" rel="noreferrer">
        {label}
      </StrongLink>
    )
  // The screens of settings lead back to it.
  const isBackToSetup = isFromSetup && to.includes('/settings')
  return (
    <StrongLink to={isBackToSetup ? { ...parsePath(to), search: '?from=setup' } : to}>{label}</StrongLink>
  )
}

/** Lists links in a line of text. */
export function ActionLinks({
  actions,
  isFromSetup,
}: Omit<ActionLinkProps, 'action'> & Pick<Verdict, 'actions'>) {
  return actions.map((action, index) => (
    <Fragment key={action.label}>
      {index > 0 && <span>{' · '}</span>}
      <ActionLink action={action} isFromSetup={isFromSetup} />
    </Fragment>
  ))
}

/** The name of what a row of a list is about. */
export function NameLink({ className = '', ...rest }: LinkProps) {
  return <Link className={`rounded-sm font-semibold hover:underline ${className}`} {...rest} />
}

/** Links to the list that a screen belongs to. */
export function BackLink({ children, ...rest }: LinkProps) {
  return (
    <Link
      className="inline-flex items-center gap-1.5 rounded-sm text-sm text-soft underline-offset-4 hover:text-ink hover:underline"
      {...rest}
    >
      <ArrowLeft aria-hidden className="size-4" />
      {children}
    </Link>
  )
}

type NeighborLinksProps = {
  /** The name of the list, as "Messages"; the screens are below its path. */
  label: string
  path: string
  neighbors: Neighbors | undefined
  /** The words for the neighbors where the list is not in the order of time. */
  words?: { newer: string; older: string }
}

const byTime = { newer: 'Newer', older: 'Older' }

/** Links to the list that a screen belongs to, and to the neighbors of its entry there. */
export function NeighborLinks({ label, path, neighbors, words = byTime }: NeighborLinksProps) {
  const { newer, older } = neighbors ?? {}
  return (
    <nav aria-label={label} className="-my-2 flex flex-wrap items-center justify-between gap-x-3">
      <ButtonLink to={path} look="quiet" className="-ms-4 px-4!">
        All {label.toLowerCase()}
      </ButtonLink>
      <span className="flex gap-1">
        {newer && (
          <ButtonLink to={`${path}/${newer}`} look="quiet" className="px-4!">
            <ArrowLeft aria-hidden className="size-4.5" />
            {words.newer}
          </ButtonLink>
        )}
        {older && (
          <ButtonLink to={`${path}/${older}`} look="quiet" className="-me-4 px-4!">
            {words.older}
            <ArrowRight aria-hidden className="size-4.5" />
          </ButtonLink>
        )}
      </span>
    </nav>
  )
}
