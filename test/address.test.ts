/** Addresses and first names: their stored form, and what is refused or doubted. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { normalizeEmail, normalizeFirstName, suggestDomain } from '../lib/addresses/address.ts';
import {
  composeEmail,
  emailMistake,
  normalizeInvitedEmail,
  readableEmail,
} from '../lib/addresses/normalize.ts';

const EVA = 'eva@bücher.example.com';
const EVA_ASCII = 'eva@xn--bcher-kva.example.com';
const ADA = 'ada@example.com';

const MARKS =
  '\u00ad \u061c \u180e \u200b \u200d \u200f \u202e \u2060 \u2069 \ufeff \u{e0001} \ufe0f \u034f \u3164 \u2800 \ufffc';
for (const mark of [...MARKS.split(' '), ' ', '\u00a0', '\u3000', '\n', '\t'])
  it(`U+${mark.codePointAt(0)?.toString(16)} is stripped at both ends, and refused inside`, () => {
    const typed = `${mark} ${ADA}${mark}${mark}`;
    assert.deepEqual([normalizeEmail(typed), normalizeInvitedEmail(typed)], [ADA, ADA]);
    assert.equal(normalizeFirstName(`${mark}Ada ${mark}`), 'Ada');
    for (const inside of [`a${mark}da@b.com`, `ada${mark}@b.com`, `ada@b${mark}b.com`])
      assert.equal(normalizeInvitedEmail(inside), undefined);
  });

it('an address is normalized in the same way after many others', () => {
  // After some thousands of calls, V8 optimizes them.
  for (let i = 0; i < 20_000; i += 1) assert.equal(normalizeEmail('eva@ü.de'), 'eva@xn--tda.de');
});

const REFUSED: Readonly<Record<string, string>> = {
  'that needs quotes':
    '<ada@b.c> ada@b.c, a;b@b.c x:ada@b.c (a)@b.c "a"@b.c a[d]a@b.c a\\da@b.c mailto:ada@b.c',
  'in a link': 'https://b.c/#ada@b.c b.c/#ada@b.c',
  'with typographic punctuation':
    'a@b.c，a “a”@b.c a‐b@b.c a…@b.c a@b.c— a@b\u2010b.c ada@b.com، علي؛@b.com',
  'behind a bullet': '•ada@b.c –ada@b.c ✉ada@b.c 📧ada@b.c ·ada@b.c ①ada@b.c \uf0b7ada@b.c',
  'with a footnote': 'ada¹@b.c ada@b.com¹ ada@b.com❶ ada†@b.c ada@b.com* ada@b.com1',
  'with what follows it': 'ada@b.com✅ ada@b.com® ada@b.com™ ada@b.com℠ ada@b.com|A ada@b.com/',
  'without a domain':
    'a@b..c a@.b.c a@b_c.d a@b.c. a@b.1 a@1.2.3.4 a@b.c-d a@💩.com a@xn--ls8h.com',
};
for (const [what, texts] of Object.entries(REFUSED))
  it(`an invite ${what} is refused`, () => {
    for (const typed of texts.split(' '))
      assert.equal(normalizeInvitedEmail(typed), undefined, typed);
  });

const TAKEN = `o'brien+a.b_c-d/e=f!#$%&*?^\`{|}~@b.c =+~'&$@b.c 1@2.b.c müller@b.c
  ışık@b.c देव@उदाहरण.भारत உதாரணம்@இந்தியா.சிங்கப்பூர் น้ำ@ตัวอย่าง.ไทย عَلِيّ١@مثال.امارات דוד@דוגמה.ישראל юлія@приклад.укр
  用户@例え.テスト 김@보기.한국 a@faß.de a@ｅｘａｍｐｌｅ．com a@例え。テスト a@xn--80akhbyknj4f.xn--p1ai`;
it('an invite with letters, marks and digits of any script is taken', () => {
  for (const typed of TAKEN.split(/\s+/))
    assert.equal(normalizeInvitedEmail(typed), normalizeEmail(typed) ?? '', typed);
});

it('an invite has composed letters, and a plain apostrophe', () => {
  for (const [typed, email] of [
    ['zoe\u0308@b.com', 'zo\u00eb@b.com'],
    ['o’connor@b.com', "o'connor@b.com"],
    ['oʼconnor@b.com', "o'connor@b.com"],
    ['JOSE\u0301@b.com', 'jos\u00e9@b.com'],
  ] as const) {
    assert.equal(normalizeInvitedEmail(typed), email);
    assert.equal(composeEmail(typed.toLowerCase()), email);
  }
});

it('an invite with a character whose compatibility form is ASCII is refused', () => {
  const typed =
    'ﬁona@b.com oﬀice@b.com 𝗮da@b.com ª@b.com ſam@b.com ada¹@b.com ada@ﬁ.com ａda@b.com \u212a@b.com';
  for (const email of typed.split(' '))
    assert.equal(normalizeInvitedEmail(email), undefined, email);
});

it('an invite with a mark that has no letter is refused', () => {
  for (const local of ['\u0301', '\u0301ada', 'ada.\u0301', '1\u20e3'])
    assert.equal(normalizeInvitedEmail(`${local}@b.com`), undefined, local);
  assert.ok(normalizeInvitedEmail('e\u0329\u0301@b.com'));
});

it('an invite with letters of two alphabets in one run is refused', () => {
  for (const email of [
    '\u0430da@b.com',
    'ad\u03b1@b.com',
    'x.ad\u0561@b.com',
    'team-\u0441o@b.com',
    'ada@\u0440aypal.com',
    'ada@x.\u0440aypal.com',
    'ada@xn--aypal-uye.com',
  ]) {
    assert.equal(normalizeInvitedEmail(email), undefined, email);
    assert.equal(emailMistake(email), 'mixed_alphabets', email);
  }
  assert.equal(emailMistake('ada'), 'invalid_email');
  assert.equal(readableEmail('ada@xn--aypal-uye.com'), 'ada@xn--aypal-uye.com');
});

it('letters of one alphabet in each run are taken', () => {
  const typed =
    'почта15@b.ru team-сочи@b.ru jürgen@b.de ada@пример.рф ivan@пример.рф ada.анна@b.com 用户a@b.com';
  for (const email of typed.split(' ')) assert.ok(normalizeInvitedEmail(email), email);
});

it('an invite is checked more strictly than a login', () => {
  for (const typed of ['<ada@b.c>', '•ada@b.c', 'ada@b.c.', 'ada@b.c1', 'mailto:ada@b.c'])
    assert.equal(normalizeEmail(typed), typed);
});

const ASCII: Readonly<Record<string, string>> = {
  ' Eva@BÜCHER.Example.com ': EVA_ASCII,
  'eva@XN--BCHER-KVA.example.com': EVA_ASCII,
  'eva@bu\u0308cher。example．com': EVA_ASCII,
  'eva@faß.example.com': 'eva@xn--fa-hia.example.com',
  'éva@例え.テスト': 'éva@xn--r8jz45g.xn--zckzah',
  'eva@bücher.example.com.': `${EVA_ASCII}.`,
  'İPEK@İSTANBUL.example.com': 'ipek@istanbul.example.com',
  'I\u0307\u0307PEK@i\u0307ŞLEM.example.com': 'ipek@xn--ilem-55a.example.com',
  'ışık@example.com': 'ışık@example.com',
};
for (const [typed, ascii] of Object.entries(ASCII))
  it(`${typed} is stored as ${ascii}`, () => assert.equal(normalizeEmail(typed), ascii));

const ODD =
  '1.2 0x7f.1 [::1.2] b.example/c.d b.ex%61mple b.example?c b.example:80 xn--a.com a..b a_b.com';
it('an ASCII domain is stored and shown unchanged', () => {
  for (const email of ODD.split(' ').map((domain) => `eva@${domain}`))
    assert.deepEqual([normalizeEmail(email), readableEmail(email)], [email, email]);
});

const WITHOUT_ASCII =
  '①.②． ü.1 ü.example/x.y ü.ex%61mple ü.example?x ü.example#x ü.example\\x ü.example:80 a\u200db.com \u0301a.com xn--ü.com a.\u00ad';
it('an address whose domain has no ASCII form is invalid', () => {
  for (const domain of WITHOUT_ASCII.split(' '))
    assert.equal(normalizeEmail(`eva@${domain}`), undefined, domain);
});

it('an address has at most 254 characters in ASCII', () => {
  const room = 254 - EVA_ASCII.length;
  assert.equal(normalizeEmail(`${'a'.repeat(room)}${EVA}`)?.length, 254);
  assert.equal(normalizeEmail(`${'a'.repeat(room + 1)}${EVA}`), undefined);
  assert.equal(normalizeEmail(`eva@${'\u00ad'.repeat(508)}bücher.example.com`), undefined);
});

it('an address is shown readable if that is the same address', () => {
  assert.equal(readableEmail(EVA_ASCII), EVA);
  assert.equal(readableEmail('eva@xn--fa-hia.xn--zckzah'), 'eva@faß.テスト');
  const STORED = `eva@xn--1ugz855p6kd.example.com eva@xn--a.com eva@xn--99999999999.com eva@xn--.com
    eva@xn--bcher-kva.example.com/x.y xn--bcher-kva@example.com eva@example.com cli`;
  for (const email of STORED.split(/\s+/)) assert.equal(readableEmail(email), email);
});

it('a first name loses bidirectional controls, and keeps joiners and marks', () => {
  for (const control of '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069') {
    assert.equal(normalizeFirstName(`A${control}d${control}a`), 'Ada');
    assert.equal(normalizeFirstName(`${control} Ada ${control}`), 'Ada');
    assert.equal(normalizeFirstName(control.repeat(101)), null);
    assert.equal(normalizeFirstName('a'.repeat(100) + control)?.length, 100);
  }
  for (const kept of '\u200c\u200d\u200e\u200f\u061c')
    assert.equal(normalizeFirstName(`A${kept}da`), `A${kept}da`);
});

it('a domain with one typing error in a large mail service is doubted', () => {
  const slips = 'gmial.com gmai.com ggmail.com gmail.con gmail.co hmail.com mgail.com';
  for (const domain of slips.split(' '))
    assert.equal(suggestDomain(`ada@${domain}`), 'gmail.com', domain);
  assert.equal(suggestDomain('ada@hotmial.com'), 'hotmail.com');
  assert.equal(suggestDomain('ada@outlok.de'), 'outlook.de');
});

it('other domains are not doubted', () => {
  // Also domains of large services, which differ from others by one letter.
  const sound = 'gmail.com mail.com email.com hotmail.de gmx.de example.com gmail.com.example.com';
  for (const domain of [...sound.split(' '), 'gmmial.com', ''])
    assert.equal(suggestDomain(`ada@${domain}`), undefined, domain);
});
