import type { DraftWarning } from '#contract/book/drafts.ts'
import { Callout } from '../../../components/callout.tsx'
import { Confirm } from '../../../components/confirm.tsx'
import { Spinner } from '../../../components/spinner.tsx'
import { listChanges } from './changes.ts'
import type { Draft } from './use-draft.ts'
import { useWarnings } from './use-warnings.ts'

type PublishProps = {
  draft: Draft
  isBusy: boolean
  onPublish: () => void
  onShow: (warning: DraftWarning) => void
  onClose: () => void
}

export function Publish({ draft: { state, document }, isBusy, onPublish, onShow, onClose }: PublishProps) {
  const warnings = useWarnings()
  return (
    <Confirm
      title="Publish these changes?"
      action={isBusy ? 'Publishing...' : 'Publish'}
      isBusy={isBusy}
      onConfirm={onPublish}
      onClose={onClose}
    >
      <p>Visitors see them within a second. You can restore an earlier version at any time.</p>
      <ul className="mt-4 grid gap-1.5">
        {listChanges(state.published, document).map(({ name, was, is }) => (
          <li key={name} className="wrap-anywhere text-ink">
            <strong className="font-semibold">{name}</strong>
            {is !== undefined && (
              <span className="block text-sm text-soft">
                <s>{was || 'empty'}</s> → {is || 'empty'}
              </span>
            )}
          </li>
        ))}
      </ul>
      <Warnings found={warnings} onShow={onShow} />
    </Confirm>
  )
}

type WarningsProps = Pick<PublishProps, 'onShow'> & { found: ReturnType<typeof useWarnings> }

function Warnings({ found, onShow }: WarningsProps) {
  if (found === undefined) {
    return (
      <p role="status" className="mt-5 flex items-center gap-3 text-sm">
        <Spinner />
        Checking pictures and links...
      </p>
    )
  }
  if (found === null) return <p className="mt-5 text-sm">Pictures and links could not be checked.</p>
  if (found.length === 0)
    return <p className="mt-5 text-sm">Pictures and links were checked, and no fault was found.</p>
  return (
    <Callout className="mt-5 text-ink">
      <p className="font-semibold">You may want to look at this first:</p>
      <ul className="mt-1.5 list-disc pl-5">
        {found.map((warning) => (
          <li key={warning.field + warning.says} className="wrap-anywhere">
            {warning.says}{' '}
            <button
              type="button"
              className="cursor-pointer rounded-sm font-semibold underline underline-offset-4"
              onClick={() => onShow(warning)}
            >
              Show<span className="sr-only"> in the form: {warning.says}</span>
            </button>
          </li>
        ))}
      </ul>
    </Callout>
  )
}
