// The screen of the book: its form, its preview, and publishing.
import { useState } from 'react'
import { Button, ButtonLink, Spinner } from '../../../components/button.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import type { DraftWarning, DraftState } from '#contract/book/book.ts'
import { Callout } from '../../../components/note.tsx'
import {
  listChanges,
  type Draft,
  useDraft,
  useWarnings,
  discardDraft,
  publishDraft,
  readDraft,
  restoreVersion,
  checkComplete,
} from './draft.ts'
import { formatMoment } from '../../../format/format.tsx'
import { ProblemError } from '../../../api.ts'
import { failure } from '../../../notices/send.ts'
import { toast } from '../../../notices/toasts.tsx'
import { LoadFailed } from '../../card.tsx'
import { load } from '../calls.tsx'
import type { Route } from './+types/book.ts'
import { DraftEditor, SaveLine } from './draft-editor.tsx'

type DiscardDraftProps = { isBusy: boolean; onDiscard: () => void }

function DiscardDraft({ isBusy, onDiscard }: DiscardDraftProps) {
  const [isAsked, setIsAsked] = useState(false)
  return (
    <>
      <Button look="outline" disabled={isBusy} onClick={() => setIsAsked(true)}>
        Discard the draft
      </Button>
      {isAsked && (
        <DiscardQuestion
          action="Discard"
          onConfirm={() => {
            setIsAsked(false)
            onDiscard()
          }}
          onClose={() => setIsAsked(false)}
        />
      )}
    </>
  )
}

type DiscardQuestionProps = { action: string; onConfirm: () => void; onClose: () => void }

function DiscardQuestion({ action, onConfirm, onClose }: DiscardQuestionProps) {
  return (
    <Confirm title="Discard the draft?" action={action} isDanger onConfirm={onConfirm} onClose={onClose}>
      <p>The changes that are not published are lost.</p>
    </Confirm>
  )
}

type PublishProps = {
  draft: Draft
  isBusy: boolean
  onPublish: () => void
  onShow: (warning: DraftWarning) => void
  onClose: () => void
}

function Publish({ draft: { state, document }, isBusy, onPublish, onShow, onClose }: PublishProps) {
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

type VersionsProps = {
  draft: Draft
  isBusy: boolean
  onRestore: (number: number) => void
}

function Versions({ draft: { state, status }, isBusy, onRestore }: VersionsProps) {
  const [restored, setRestored] = useState<number>()
  const isChanged = state.saved !== null || status.kind !== 'saved'
  if (state.versions.length === 0) return null
  function restore(number: number) {
    if (isChanged) setRestored(number)
    else onRestore(number)
  }
  return (
    <details className="group rounded-md border border-line bg-surface">
      <summary className="min-h-12 cursor-pointer px-5 py-3 text-lg font-semibold">Versions</summary>
      <div className="grid gap-3 border-t border-line px-5 py-4">
        <ol reversed className="grid gap-3">
          {state.versions.map(({ number, published_at, published_by }, index) => (
            <li key={number} className="flex flex-wrap items-center justify-between gap-2">
              <span className="wrap-anywhere">
                Version {number}
                <span className="block text-sm text-soft">
                  {formatMoment(published_at)}, {published_by}
                </span>
              </span>
              {index === 0 ? (
                <span className="text-sm font-semibold text-success">Shown to visitors</span>
              ) : (
                <Button look="outline" disabled={isBusy} onClick={() => restore(number)}>
                  Restore<span className="sr-only"> version {number}</span>
                </Button>
              )}
            </li>
          ))}
        </ol>
      </div>
      {restored !== undefined && (
        <DiscardQuestion
          action={`Restore version ${restored}`}
          onConfirm={() => {
            setRestored(undefined)
            onRestore(restored)
          }}
          onClose={() => setRestored(undefined)}
        />
      )}
    </details>
  )
}

export function clientLoader() {
  return load('Failed to fetch the book', readDraft)
}

export default function BookView({ loaderData: loaded }: Route.ComponentProps) {
  if (!loaded) return <LoadFailed card="Book page" title="The book could not be loaded" />
  return <Editor loaded={loaded} />
}

function Editor({ loaded }: { loaded: DraftState }) {
  const draft = useDraft(loaded)
  const actions = useActions(draft)
  const { state, status } = draft
  const isChanged = state.saved !== null || status.kind !== 'saved'
  return (
    <>
      <DraftEditor
        draft={draft}
        head={
          <>
            <header className="flex flex-wrap items-center justify-between gap-3">
              <h2 className="text-2xl font-semibold">Book page</h2>
              <p className="flex flex-wrap gap-2">
                <ButtonLink to="/" look="outline">
                  See the page
                </ButtonLink>
                {isChanged && <DiscardDraft isBusy={actions.isBusy} onDiscard={actions.discard} />}
                {state.waits_for_opening ? (
                  <ButtonLink to="/admin/setup">Continue the setup</ButtonLink>
                ) : (
                  <Button disabled={!isChanged} onClick={actions.ask}>
                    Publish
                  </Button>
                )}
              </p>
            </header>
            {state.waits_for_opening && (
              <Callout>
                Your book becomes public when you open the shop, together with its products: visitors see the
                sample until then. What you change here is in your page at the opening.
              </Callout>
            )}
            <SaveLine draft={draft} onKeepMine={actions.keepMine} onTakeTheirs={actions.takeTheirs} />
          </>
        }
      >
        <Versions draft={draft} isBusy={actions.isBusy} onRestore={actions.restore} />
      </DraftEditor>
      {actions.isAsked && (
        <Publish
          draft={draft}
          isBusy={actions.isBusy}
          onPublish={actions.publish}
          onShow={actions.show}
          onClose={actions.close}
        />
      )}
    </>
  )
}

function useActions(draft: Draft) {
  const { document, adopt, replace, overwrite, revision, save, setProblems } = draft
  const [isBusy, setIsBusy] = useState(false)
  const [isAsked, setIsAsked] = useState(false)
  async function run(title: string, work: () => Promise<void>) {
    setIsBusy(true)
    try {
      await work()
    } catch (error) {
      if (error instanceof ProblemError && error.fields) setProblems(error.fields)
      setIsAsked(false)
      toast(failure(title, error))
    } finally {
      setIsBusy(false)
    }
  }
  const start = (title: string, work: () => Promise<void>) => () => void run(title, work)
  return {
    isBusy,
    isAsked,
    close: () => setIsAsked(false),
    show: ({ field, says }: DraftWarning) => {
      setIsAsked(false)
      setProblems({ [field]: says })
    },
    /** The draft is saved before the question, with what was typed last. */
    ask: start('Couldn’t save', async () => {
      if (!(await save())) return
      const result = await checkComplete(document)
      setProblems(result ?? {})
      setIsAsked(!result)
    }),
    publish: start('Couldn’t publish', async () => {
      const next = await publishDraft(revision())
      setProblems({})
      adopt(next)
      setIsAsked(false)
      toast({ title: 'Published', description: `Visitors see version ${next.versions[0]?.number} now.` })
    }),
    restore: (number: number) =>
      void run('Couldn’t restore', async () => {
        replace(await restoreVersion(revision(), number))
        toast({
          title: 'Restored',
          description: `The draft is as version ${number} was. Publish it to show it.`,
        })
      }),
    discard: start('Couldn’t discard the draft', async () => replace(await discardDraft(revision()))),
    keepMine: start('Couldn’t save', async () => overwrite(await readDraft())),
    takeTheirs: start('Couldn’t load', async () => replace(await readDraft())),
  }
}
