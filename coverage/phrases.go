package coverage

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/language"
)

// phrases are the sentences in one language. Facts are the same in each; see facts
// for their order.
type phrases struct {
	all, allFiltered, zero string // every record is accounted for
	one                    string // all, where there is one; "" is all
	byCount                string // the evidence is weaker than identities
	some                   string // loaded of requested
	filtered, missing      string
	missingSome            string // how many is not known
	unknown, atLeast       string // how many there are is not known
	interval, notAll, weak string
	surplus                string
	because, and, stop     string
	unexplained, nothing   string
	classes                map[Class]string
}

var english = phrases{
	all:         "All records (%[1]s) were loaded.",
	one:         "The only record there is (%[1]s) was loaded.",
	allFiltered: "Of %[1]s %[5]s %[2]s %[7]s loaded and %[4]s left out by a rule; all are accounted for.",
	zero:        "0 records were expected and 0 were loaded.",
	byCount:     " No ids were checked against a list.",
	some:        "%[2]s of %[1]s %[5]s %[7]s loaded",
	filtered:    ", %s left out by a rule",
	missing:     ", %s missing",
	missingSome: ", some may be missing",
	unknown:     "%[2]s %[6]s %[7]s loaded; how many there are is not known",
	atLeast:     "%[2]s %[6]s %[7]s loaded; there %[8]s at least %[3]d",
	interval:    " A count c in what was loaded means c to c+%s in all.",
	notAll:      ` Nothing may be said about all of them: not "all", "none", "most", "first" or "last".`,
	weak:        " What was loaded shows what exists, and nothing about the rest.",
	surplus:     " Some records came twice or were not expected, so a count may also be too high.",
	because:     " (%s)", and: ", ", stop: ".",
	unexplained: "nobody knows why",
	nothing:     "How many records there are and how many were loaded is not known.",
	classes: map[Class]string{
		ClassNotAttempted: "not asked for", ClassFailed: "failed", ClassPartial: "cut", ClassFiltered: "left out",
		ClassIdentity: "other records than expected", ClassSource: "the source gave less than it has",
		ClassMerge: "the accounts don't fit together", ClassView: "not shown",
	},
}

var simplified = phrases{
	all:         "全部 %[1]s 条记录均已载入。",
	allFiltered: "共 %[1]s 条记录，已载入 %[2]s 条，按规则排除 %[4]s 条，全部都有交代。",
	zero:        "预期 0 条记录，载入 0 条。",
	byCount:     "没有与编号清单逐条核对。",
	some:        "共 %[1]s 条记录，已载入 %[2]s 条",
	filtered:    "，按规则排除 %s 条",
	missing:     "，缺少 %s 条",
	missingSome: "，可能有缺失",
	unknown:     "已载入 %[2]s 条记录，总数未知",
	atLeast:     "已载入 %[2]s 条记录，总数至少为 %[3]d",
	interval:    "在已载入记录中数得 c，则总数在 c 与 c+%s 之间。",
	notAll:      "不得对全部记录下结论：不能说“全部”“没有”“大多数”“最早”或“最新”。",
	weak:        "已载入的记录只说明存在什么，不说明其余部分。",
	surplus:     "有些记录重复或并非预期，计数也可能偏高。",
	because:     "（%s）", and: "、", stop: "。",
	unexplained: "原因不明",
	nothing:     "总数与已载入数均未知。",
	classes: map[Class]string{
		ClassNotAttempted: "未请求", ClassFailed: "失败", ClassPartial: "被截断", ClassFiltered: "被排除",
		ClassIdentity: "与预期记录不符", ClassSource: "来源给出的少于其所有", ClassMerge: "各部分账目不符", ClassView: "未显示",
	},
}

var traditional = phrases{
	all:         "全部 %[1]s 筆記錄均已載入。",
	allFiltered: "共 %[1]s 筆記錄，已載入 %[2]s 筆，依規則排除 %[4]s 筆，全部都有交代。",
	zero:        "預期 0 筆記錄，載入 0 筆。",
	byCount:     "沒有與編號清單逐筆核對。",
	some:        "共 %[1]s 筆記錄，已載入 %[2]s 筆",
	filtered:    "，依規則排除 %s 筆",
	missing:     "，缺少 %s 筆",
	missingSome: "，可能有缺失",
	unknown:     "已載入 %[2]s 筆記錄，總數未知",
	atLeast:     "已載入 %[2]s 筆記錄，總數至少為 %[3]d",
	interval:    "在已載入記錄中數得 c，則總數在 c 與 c+%s 之間。",
	notAll:      "不得對全部記錄下結論：不能說「全部」「沒有」「大多數」「最早」或「最新」。",
	weak:        "已載入的記錄只說明存在什麼，不說明其餘部分。",
	surplus:     "有些記錄重複或並非預期，計數也可能偏高。",
	because:     "（%s）", and: "、", stop: "。",
	unexplained: "原因不明",
	nothing:     "總數與已載入數均未知。",
	classes: map[Class]string{
		ClassNotAttempted: "未請求", ClassFailed: "失敗", ClassPartial: "被截斷", ClassFiltered: "被排除",
		ClassIdentity: "與預期記錄不符", ClassSource: "來源給出的少於其所有", ClassMerge: "各部分帳目不符", ClassView: "未顯示",
	},
}

var (
	languages = []language.Tag{language.English, language.MustParse("zh-Hans"), language.MustParse("zh-Hant")}
	matcher   = language.NewMatcher(languages)
	wordings  = []*phrases{&english, &simplified, &traditional}
)

// phrasesFor matches a BCP 47 tag ("zh-TW" is Traditional Chinese); English if
// there is no match.
func phrasesFor(tag string) *phrases {
	t, err := language.Parse(tag)
	if err != nil {
		return &english
	}
	_, i, confidence := matcher.Match(t)
	if confidence == language.No {
		return &english
	}
	return wordings[i]
}

// Claim is the sentence that a model may build on, in the language that matches a
// BCP 47 tag best: English, Simplified or Traditional Chinese. It holds numbers
// and fixed words only, no text of the source or of callers.
func (s Summary) Claim(tag string) string {
	p := phrasesFor(tag)
	if s.InputComplete {
		return p.complete(s)
	}
	if !s.Loaded.Known() && !s.Requested.Known() {
		return p.nothing
	}
	var b strings.Builder
	fmt.Fprintf(&b, p.opening(s), s.facts()...)
	if s.Filtered.Value > 0 {
		fmt.Fprintf(&b, p.filtered, s.Filtered)
	}
	missing := s.missing()
	lacking := missing
	if lacking.Relation == Eq && s.Filtered.Relation == Eq {
		lacking.Value -= s.Filtered.Value
	}
	if lacking.Relation == Eq && s.Filtered.Relation == Eq && lacking.Value > 0 {
		fmt.Fprintf(&b, p.missing, lacking)
	} else {
		b.WriteString(p.missingSome)
	}
	b.WriteString(p.causes(s) + p.stop)
	switch {
	case s.surplus():
		b.WriteString(p.surplus)
	case s.interval().Relation == Eq && missing.Value > 0:
		fmt.Fprintf(&b, p.interval, missing)
	}
	if s.Requested.Known() {
		b.WriteString(p.notAll)
	} else {
		b.WriteString(p.weak)
	}
	return b.String()
}

func (p *phrases) complete(s Summary) string {
	var text string
	switch {
	case s.Requested == Exactly(0):
		text = p.zero
	case s.Filtered.Value > 0:
		text = fmt.Sprintf(p.allFiltered, s.facts()...)
	case s.Requested == Exactly(1) && p.one != "":
		text = fmt.Sprintf(p.one, s.facts()...)
	default:
		text = fmt.Sprintf(p.all, s.facts()...)
	}
	if !s.IdentityComplete && s.Requested != Exactly(0) {
		text += p.byCount
	}
	return text
}

// facts are what the sentences state, by number, and from the fifth on the English
// words that agree with it: the noun with what was requested, the noun and the
// verb with what was loaded, the verb with what is there at least.
func (s Summary) facts() []any {
	least := Exactly(s.Requested.Value)
	return []any{s.Requested, s.Loaded, s.Requested.Value, s.Filtered, s.Requested.of("record", "records"),
		s.Loaded.of("record", "records"), s.Loaded.of("was", "were"), least.of("is", "are")}
}

func (p *phrases) opening(s Summary) string {
	switch s.Requested.Relation {
	case Eq:
		return p.some
	case Gte:
		return p.atLeast
	}
	return p.unknown
}

// causes are the classes of the reasons, in brackets; what a rule left out has its
// own words.
func (p *phrases) causes(s Summary) string {
	var names []string
	for _, r := range s.Reasons {
		n := p.classes[r.Code.Class()]
		if r.Code == TruncatedUnexplained {
			n = p.unexplained
		}
		if r.Code.Class() != ClassFiltered && !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf(p.because, strings.Join(names, p.and))
}

// surplus reports whether records came that should not have.
func (s Summary) surplus() bool {
	return slices.ContainsFunc(s.Reasons, func(r Reason) bool {
		return r.Code == DuplicateID || r.Code == UnexpectedID || r.Code == IdentityMismatch
	})
}
