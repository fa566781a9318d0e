// What programs write where an author left a field empty. It is no text.
const placeholder = new RegExp(
  [
    '^[\\[({<"“]*(unknown|unkown|untitled|unnamed|none|null|undefined|n/?a|tba|tbd|not (set|specified|available|known)|',
    '(no|unknown|default|your|enter|insert|sample|add|missing|empty) ?(a |the |your )?(book|document)? ?(title|name|author|author name|creator|writer|artist|description|publisher|language|comments?|summary)s?( name)?( here| yet| available| provided| given| goes here)?|',
    '(untitled|new|unnamed)[ _-]?(book|document|e-?book|project|manuscript)?|do[ck]ument[oe]?|(book )?title|author( name)?|lorem ipsum.*|calibre( .*)?|(microsoft|windows|office)( office)? user|admin(istrator)?|user|powerpoint presentation|python-docx|',
    'unbekannt|ohne titel|unbenannt|inconnue?|sans titre|desconocido|sin t[íi]tulo|sconosciuto|senza titolo|desconhecido|sem t[íi]tulo|onbekend|okänd|namnlös|nieznany|bez (tytułu|nazwy)|',
    'неизвест(ен|но|ный|ный автор)|без названия|неизвестный|без имени|άγνωστος|χωρίς τίτλο|不明|無題|著者不明|未知|佚名|无标题|無標題|مجهول|غير معروف|بدون عنوان|名称未設定|제목 없음|알 수 없음)[ _-]?\\d*[\\])}>"”.!…]*$',
  ].join(''),
  'iu',
)

/** Undefined where nobody has written it. */
export function meaningful(text: string | undefined): string | undefined {
  const words = (text ?? '').trim()
  const isWritten = /[\p{L}\p{N}]/u.test(words) && words !== 'anonymous'
  return isWritten && !placeholder.test(words) ? words : undefined
}

const fileEnding =
  /\.(docx?|dotx?|odt|rtf|wpd|pages|scriv|indd?|idml|qxp|afpub|epub|mobi|azw3?|pdf|x?html?|txt|md|tex|dvi|fb2)$/i
const version =
  /[\s_.(-](v|ver\.?|version|draft|final|rev|copy)[\s_.-]?\d*\)?$|\(\d+\)$|[_.-](final|draft|edit(ed)?|copy|print|proof|ebook|v\d+|\d+(st|nd|rd|th))([_.-]|$)/i

export const isFileName = (text: string) => fileEnding.test(text)

/** Undefined where a program wrote it: the name of a file is no title. */
export function writtenTitle(text: string): string | undefined {
  const name = text.replace(fileEnding, '')
  const isOneWord = !/\s/.test(text)
  const isFile =
    /^microsoft (word|powerpoint|publisher)\s*[-–—]|^[a-z]:|^file:|^\/|\\|%20/i.test(text) ||
    /^[\d\s-]{9,}x?$/i.test(name) ||
    (isOneWord && (name !== text || name.includes('_'))) ||
    ((isOneWord || name !== text || /\d\)?$/.test(name)) && version.test(name))
  return isFile ? undefined : meaningful(name)
}

/** A title of one word in small letters, as folders have it, may be one, too. */
export const isLikeFileName = (title: string) => /^[a-z\d]+([-.][a-z\d]+)+$/.test(title)
