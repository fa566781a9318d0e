import { Line, type PartProps } from './draft-fields.tsx'
import { PictureField } from './picture-field.tsx'
import { MarkdownField } from './markdown-field.tsx'

export function AuthorPart({ document: { author, invitation }, change, problems }: PartProps) {
  return (
    <>
      <Line
        label="Name"
        problem={problems['author.name']}
        value={author.name}
        onChange={(value) => change((draft) => void (draft.author.name = value))}
      />
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
        problem={problems['author.biography']}
        value={author.biography}
        onChange={(value) => change((draft) => void (draft.author.biography = value))}
      />
      <Line
        label="Title of the invitation"
        problem={problems['invitation.title']}
        value={invitation.title}
        onChange={(value) => change((draft) => void (draft.invitation.title = value))}
      />
      <MarkdownField
        label="Invitation"
        problem={problems['invitation.text']}
        value={invitation.text}
        onChange={(value) => change((draft) => void (draft.invitation.text = value))}
      />
    </>
  )
}
