import { Line, type PartProps } from './draft-fields.tsx'
import { PictureField } from './picture-field.tsx'
import { MarkdownField } from './markdown-field.tsx'

export function AuthorPart({ document: { author }, change, problems, field }: PartProps) {
  return (
    <>
      <Line label="Name" {...field('author.name')} />
      <Line
        label="Public email address"
        type="email"
        hint="Shown on the page and on receipts. Leave empty to offer the contact form only."
        problem={problems['author.email']}
        value={author.email ?? ''}
        onChange={(value) => change((draft) => void (draft.author.email = value || null))}
      />
      <PictureField
        name="portrait"
        hint="Shown beside the biography."
        picture={author.portrait}
        problem={problems['author.portrait.alt']}
        change={(edit) => change((draft) => void (draft.author.portrait = edit(draft.author.portrait)))}
      />
      <MarkdownField
        label="Biography"
        hint="Shown above the contact form. Leave empty to hide it."
        {...field('author.biography')}
      />
      <Line label="Title of the invitation" {...field('invitation.title')} />
      <MarkdownField label="Invitation" {...field('invitation.text')} />
    </>
  )
}
