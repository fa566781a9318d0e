// Buttons, and plain links: to pages, and to places of the page.
import { Children, type ComponentProps, type ReactNode } from 'react'

export function Spinner() {
  return (
    <span
      aria-hidden
      className="inline-block size-[1.1em] shrink-0 animate-spin rounded-full border-2 border-current border-r-transparent"
    />
  )
}

type Look = 'primary' | 'outline' | 'quiet' | 'danger'

/** Each has a border: of one height beside another, and to be seen where the system sets its own colours. */
const shape =
  'inline-flex min-h-11 cursor-pointer items-center justify-center gap-2 rounded-md border px-5 py-2.5 text-center font-semibold transition-colors disabled:cursor-default aria-disabled:cursor-default'

const looks: Record<Look, string> = {
  primary:
    'border-transparent bg-ink text-page hover:bg-ink/85 disabled:bg-ink/60 aria-disabled:bg-ink/60 forced-colors:border-2',
  outline:
    'border-edge text-ink hover:border-ink hover:bg-ink/5 disabled:opacity-60 aria-disabled:opacity-60',
  danger: 'border-transparent bg-danger text-page hover:bg-danger/85 disabled:bg-danger/60',
  quiet: 'border-transparent text-ink hover:bg-ink/7 disabled:opacity-60',
}

export function buttonClass(look: Look = 'primary', className = ''): string {
  return `${shape} ${looks[look]} ${className}`
}

/**
 * Each text has an element of its own, and another text another element: a browser that translates the page moves texts
 * into elements that React does not know, and would neither find them nor see them change.
 */
function textElements(children: ReactNode): ReactNode[] {
  const nodes: ReactNode[] = []
  let text = ''
  const endText = () => {
    if (text.trim()) nodes.push(<span key={text}>{text}</span>)
    text = ''
  }
  for (const child of Children.toArray(children)) {
    if (typeof child === 'string' || typeof child === 'number') text += child
    else {
      endText()
      nodes.push(child)
    }
  }
  endText()
  return nodes
}

type ButtonProps = ComponentProps<'button'> & { look?: Look; busy?: boolean }

export function Button({ look, className, type = 'button', busy = false, children, ...rest }: ButtonProps) {
  return (
    <button type={type} className={buttonClass(look, className)} {...rest}>
      {busy && <Spinner />}
      {textElements(children)}
    </button>
  )
}

type ButtonLinkProps = LinkProps & { look?: Look }

export function ButtonLink({ look, className, children, ...rest }: ButtonLinkProps) {
  return (
    <Link className={buttonClass(look, className)} {...rest}>
      {textElements(children)}
    </Link>
  )
}

type LinkProps = Omit<ComponentProps<'a'>, 'href'> & {
  to: string
  /** The page that is left does not stay in the history; only the app's router can do that (app/root.tsx). */
  replaces?: boolean
}

/** A plain link, on the site and in the app, whose router takes the clicks on its own pages. */
export function Link({ to, replaces, children, ...rest }: LinkProps) {
  return (
    <a href={to} data-replaces={replaces || undefined} {...rest}>
      {children}
    </a>
  )
}

/** Leads to a place of the page, which takes the focus along (`tabIndex={-1}`). */
export function Anchor({ to, ...rest }: LinkProps) {
  return <Link to={`#${to}`} {...rest} />
}
