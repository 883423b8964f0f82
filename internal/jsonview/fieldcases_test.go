package jsonview

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/internal/jsonscan"
	"github.com/toolclip/toolclip/internal/view"
)

// planOf shows src within n bytes and proves the plan.
func planOf(t *testing.T, src string, n int64, o Options) view.Plan {
	t.Helper()
	pruneOften = false
	o.Retain = n
	l := view.Limit{Bytes: n}
	p := show(t, src, o, all).Plan(l)
	checkPlan(t, src, p, l, o)
	return p
}

func TestCase10OneLongStringIsShortenedInside(t *testing.T) {
	src := `{"results":[{"id":7,"text":"` + strings.Repeat("lorem ipsum ", 5000) + `","ok":true}]}`
	p := planOf(t, src, 50<<10, Options{})
	require.Greater(t, len(p.Content), 49<<10)
	require.Contains(t, p.Content, `"ok":true}]}`)
	require.Len(t, p.Omissions, 1)
	require.Equal(t, "/results/0/text", p.Omissions[0].Pointer)
	require.EqualValues(t, 60000, p.Omissions[0].Total)
}

func TestCase11NoCutInsideAnEscape(t *testing.T) {
	src := `["` + strings.Repeat(`\\`, 40) + strings.Repeat(`\"`, 40) + strings.Repeat(`\r`, 40) + strings.Repeat(`\u00e9`, 40) + strings.Repeat(`\ud83d\ude00`, 40) + `"]`
	for n := range int64(len(src) + 1) {
		planOf(t, src, n, Options{MaxRecord: 66})
		planOf(t, src, n, Options{})
	}
}

func TestCase14ListsSayHowMany(t *testing.T) {
	var items []string
	for i := range 8 {
		items = append(items, fmt.Sprintf(`{"i":%d,"s":"%s"}`, i, strings.Repeat("x", 3000)))
	}
	p := planOf(t, `{"items":[`+strings.Join(items, ",")+`]}`, 10000, Options{})
	require.EqualValues(t, 3, p.Omissions[0].Shown)
	require.EqualValues(t, 8, p.Omissions[0].Total)
	require.Equal(t, []view.Range{{Start: 0, End: 3}}, p.Units)
	require.Equal(t, "/items", p.Pointer)

	var slugs []string
	for i := range 53 {
		slugs = append(slugs, fmt.Sprintf(`"r%d"`, i))
	}
	p = planOf(t, `{"slugs":[`+strings.Join(slugs, ",")+`]}`, 100, Options{})
	require.False(t, p.Complete)
	require.EqualValues(t, 53, p.Omissions[0].Total)
	require.Equal(t, view.Rest{Pointer: "/slugs", Unit: view.Item, From: p.Omissions[0].Shown, To: 53, Bytes: p.Omissions[0].Bytes}, p.Rest[0])
}

func TestCase15NumbersAreVerbatim(t *testing.T) {
	src := `{"id":9007199254740993,"q":-4185925123159566327,"w":18446744073709551617,"f":1.0,"e":1E400,"z":-0,"rest":"` + strings.Repeat("x", 900) + `"}`
	p := planOf(t, src, 200, Options{})
	require.True(t, strings.HasPrefix(p.Content, src[:100]))
}

func TestCase16OddNamesStayReachable(t *testing.T) {
	long := strings.Repeat("y", 300)
	src := fmt.Sprintf(`{"a":["%[1]s"],"a":["%[1]s"],"":["%[1]s"],"x.y[0]/z~":{"~1":["%[1]s"]},"\u0061":["%[1]s"]}`, long)
	pages := readAll(t, src, Options{MaxRecord: 66}, 160)
	require.Greater(t, pages, 8)
	// A number that is too long to be shown still has its name.
	readAll(t, `{"twin":{"twin":`+strings.Repeat("7", 1500)+`,"twin":{"":0},"twin":"data:image/png;base64,"},"twin"`+strings.Repeat(" ", 130)+`:`+strings.Repeat(" ", 130)+`0}`, Options{}, 320)
	readAll(t, `{"`+strings.Repeat(`\u0061`, 200)+`":[1,2],"`+strings.Repeat("a", 200)+`":["`+long+long+`"]}`, Options{}, 320)

	p := planOf(t, src, 400, Options{MaxRecord: 66})
	raw := 0
	for _, r := range p.Rest {
		if r.Pointer == "" {
			require.Equal(t, view.Byte, r.Unit, "a pointer would lead to the first of the names")
			raw++
		}
	}
	require.Equal(t, 2, raw)
	require.Contains(t, fmt.Sprint(p.Rest), "/x.y[0]~1z~0/~01/0")
}

func TestCase18RecordsOnOneLinePageByRecord(t *testing.T) {
	var items []string
	for i := range 400 {
		items = append(items, fmt.Sprintf(`{"id":%d,"text":"%s"}`, i, strings.Repeat("y", 290)))
	}
	src := "[" + strings.Join(items, ",") + "]"
	at := int64(0)
	for at < 400 {
		p := planOf(t, src, 16000, Options{Unit: view.Item, From: at})
		require.Len(t, p.Units, 1)
		require.Equal(t, at, p.Units[0].Start)
		require.Greater(t, p.Units[0].End, at)
		require.EqualValues(t, 400, p.UnitTotal)
		at = p.Units[0].End
	}
	readAll(t, src, Options{}, 16000)
	for _, from := range []int64{400, 401, 1 << 60} {
		p := planOf(t, src, 16000, Options{Unit: view.Item, From: from})
		require.Equal(t, "[]", p.Content)
		require.Empty(t, p.Rest)
		require.EqualValues(t, 400, p.UnitTotal)
	}
}

func TestCase20Extremes(t *testing.T) {
	// An array whose only element exceeds the limit.
	p := planOf(t, `[{"a":"`+strings.Repeat("x", 10000)+`","b":[1,2,3]}]`, 100, Options{})
	require.Contains(t, p.Content, `"b":[`)
	require.EqualValues(t, 1, p.Partly)

	// 100,000 brackets.
	deep := strings.Repeat("[", 100000) + strings.Repeat("]", 100000)
	v := show(t, deep, Options{Retain: 1000}, all)
	p = v.Plan(view.Limit{Bytes: 1000})
	require.True(t, json.Valid([]byte(p.Content)))
	require.NotEmpty(t, p.Omissions)
	require.Greater(t, len(p.Content), 400)

	// 100,000 members.
	var b strings.Builder
	for i := range 100000 {
		fmt.Fprintf(&b, `,"key%d":%d`, i, i)
	}
	src := "{" + b.String()[1:] + "}"
	l := view.Limit{Bytes: 1000}
	p = show(t, src, Options{Retain: 1000}, all).Plan(l)
	require.True(t, json.Valid([]byte(p.Content)))
	require.Greater(t, len(p.Content), 950)
	require.EqualValues(t, 100000, p.Omissions[0].Total)
	require.Equal(t, []view.Rest{{Pointer: "", Unit: view.Item, From: p.Omissions[0].Shown, To: 100000, Bytes: p.Omissions[0].Bytes}}, p.Rest)
}

func TestCase21BlobsAreCutToTheirHead(t *testing.T) {
	data := make([]byte, 150<<10)
	rand.New(rand.NewSource(1)).Read(data)
	body := base64.StdEncoding.EncodeToString(data)
	uri := "data:image/png;base64," + body
	src := `{"name":"x","image":"` + uri + `","raw":"` + body + `","after":[1,2,3]}`
	p := planOf(t, src, 16<<10, Options{})
	require.Equal(t, `{"name":"x","image":"data:image/png;base64,","raw":"`+body[:64]+`","after":[1,2,3]}`, p.Content)
	require.Len(t, p.Omissions, 2)
	for i, want := range []struct{ at, of, value string }{{"/image", "image/png", uri}, {"/raw", "base64", body}} {
		o := p.Omissions[i]
		sum := sha256.Sum256([]byte(want.value))
		require.Equal(t, want.at, o.Pointer)
		require.Equal(t, want.of, o.Of)
		require.Equal(t, hex.EncodeToString(sum[:]), o.SHA256)
		require.EqualValues(t, len(want.value), o.Total)
	}
	// Words, digits or one letter over and over are text.
	for _, s := range []string{strings.Repeat("x", 5000), strings.Repeat("lorem ipsum ", 500), strings.Repeat("0123456789abcdef", 300)} {
		p := planOf(t, `["`+s+`"]`, 3000, Options{})
		require.Empty(t, p.Omissions[0].Of)
		require.Greater(t, len(p.Content), 2900)
	}
}

// What a string is of is decided by its first 256 bytes.
func TestBlobsAreToldFromText(t *testing.T) {
	body := strings.Repeat("QUJDabc0+/12xyZw", 40)
	for s, want := range map[string]string{
		body:                                "base64",
		strings.ReplaceAll(body, "/", `\/`): "base64",
		strings.NewReplacer("+", "-", "/", "_").Replace(body): "base64",
		strings.NewReplacer("+", "x", "/", "y").Replace(body): "", // letters and digits: a name, a key
		strings.ToLower(body): "",
		strings.ToUpper(body): "",
		strings.NewReplacer("0", "o", "1", "l", "2", "z").Replace(body): "",
		strings.Repeat("QUJDabc0+/12 xyZw", 40):                         "",
		"data:;base64," + body:                                          "text/plain",
		"data:text/html;charset=utf-8;base64," + body:                   "text/html",
		`data:image\/svg+xml;base64,` + body:                            "image/svg+xml",
		"data:text/html," + strings.Repeat("<p>a text</p>", 60):         "",
		"data:" + strings.Repeat("x", 200) + ";base64," + body:          "",
	} {
		p := planOf(t, `{"s":"`+s+`"}`, 300, Options{})
		require.Equal(t, want, p.Omissions[0].Of, "%.60s", s)
		require.Equal(t, want != "", p.Omissions[0].SHA256 != "")
	}
}

// Forty support tickets in Chinese, some 5,300 characters on one line: within
// 2,000 characters whole tickets are shown, and it is said how many there are.
func TestFortyTicketsInChinese(t *testing.T) {
	subjects := []string{"无法登录后台系统", "发票金额与订单不一致", "申请退款一直没有到账", "应用更新之后频繁闪退"}
	bodies := []string{"客户反映从昨天晚上开始无法登录，提示密码错误，重置密码之后仍然不行，请尽快协助处理。", "订单编号与发票上的金额相差三十元，客户要求重新开具发票并说明原因，态度比较着急。"}
	var items []string
	for i := range 40 {
		items = append(items, fmt.Sprintf(`{"编号":%d,"主题":"%s","内容":"%s","状态":"%s","创建时间":"2026-11-%02d"}`,
			10001+i, subjects[i%4], bodies[i%2]+bodies[(i+1)%2][:60], []string{"未处理", "已解决"}[i%2], 1+i%28))
	}
	src := "[" + strings.Join(items, ",") + "]"
	require.InDelta(t, 5300, utf8.RuneCountInString(src), 200)
	l := view.Limit{Bytes: 16 << 10, Unit: view.Rune, N: 2000}
	v := show(t, src, Options{Retain: l.Bytes}, all)
	p := v.Plan(l)
	checkPlan(t, src, p, l, Options{})
	var tickets []map[string]any
	require.NoError(t, json.Unmarshal([]byte(p.Content), &tickets))
	require.Greater(t, len(tickets), 10)
	require.Equal(t, []view.Range{{Start: 0, End: int64(len(tickets))}}, p.Units)
	require.Zero(t, p.Partly)
	require.EqualValues(t, 40, p.UnitTotal)
	require.EqualValues(t, 40, p.Omissions[0].Total)
	require.EqualValues(t, len(tickets), p.Omissions[0].Shown)
	require.Equal(t, view.Rest{Unit: view.Item, From: int64(len(tickets)), To: 40, Bytes: p.Omissions[0].Bytes}, p.Rest[0])
	for k := 1; k < 40; k += 7 {
		require.Equal(t, p, show(t, src, Options{Retain: l.Bytes}, func(int) int { return k }).Plan(l))
	}
}

// One failed record in twelve is not hidden by eleven good ones.
func TestKeepRulesComeFirst(t *testing.T) {
	var items []string
	for i := range 12 {
		status := "ok"
		if i == 9 {
			status = "failed"
		}
		items = append(items, fmt.Sprintf(`{"id":%d,"status":"%s","detail":"%s"}`, i, status, strings.Repeat("d", 100)))
	}
	items[3] = `{"id":3}`
	items[4] = `{"id":4,"status":7}`
	src := `{"records":[` + strings.Join(items, ",") + `]}`
	p := planOf(t, src, 600, Options{Keep: []Rule{{Pointer: "/status", Op: "!=", Value: "ok"}}})
	require.Contains(t, p.Content, `"failed"`)
	require.Contains(t, p.Content, `"id":0`)
	require.Equal(t, &view.Scan{Predicate: `/status != "ok"`, Engine: "keep", Unit: view.Item, Scanned: []view.Range{{Start: 0, End: 12}}, Of: 12, Matched: 1, Returned: 1, Unjudged: 2}, p.Scan)
	p = planOf(t, src, 160, Options{Keep: []Rule{{Pointer: "/status", Op: "!=", Value: "ok"}}})
	require.Contains(t, p.Content, `"failed"`)
	require.NotContains(t, p.Content, `"id":0`)
	readAll(t, src, Options{Keep: []Rule{{Pointer: "/status", Op: "!=", Value: "ok"}}}, 200)
}

func TestKeepRulesJudge(t *testing.T) {
	for _, c := range []struct {
		elem, pointer, op, value string
		want                     verdict
	}{
		{`{"n":9007199254740993}`, "/n", ">", "9007199254740992", holds},
		{`{"n":9007199254740993}`, "/n", "==", "9007199254740992", fails},
		{`{"n":1.50e2}`, "/n", "==", "150", holds},
		{`{"n":-0}`, "/n", "==", "0.0e5", holds},
		{`{"n":1E400}`, "/n", ">", "1e399", holds},
		{`{"n":-3}`, "/n", "<", "-2", holds},
		{`{"n":0.001}`, "/n", "<=", "1e-3", holds},
		{`{"n":1e99999999999999999999}`, "/n", ">", "5", holds},
		{`{"n":"3"}`, "/n", "==", "3", holds},
		{`{"n":3}`, "/n", "==", "three", cannot},
		{`{"s":"caf\u00e9"}`, "/s", "==", "café", holds},
		{`{"s":"a\/b"}`, "/s", "contains", "/", holds},
		{`{"s":"b"}`, "/s", ">=", "a", holds},
		{`{"s":null}`, "/s", "==", "null", holds},
		{`{"s":true}`, "/s", "!=", "true", fails},
		{`{"s":true}`, "/s", ">", "a", cannot},
		{`{"s":[1]}`, "/s", "==", "1", cannot},
		{`{"s":[1,{"t":2}]}`, "/s/1/t", "==", "2", holds},
		{`{"s":[1,{"t":2}]}`, "/s/01/t", "==", "2", cannot},
		{`{"a/b~":1}`, "/a~1b~0", "exists", "", holds},
		{`{"a":1}`, "/b", "exists", "", fails},
		{`{"a":1}`, "/b", "!=", "x", cannot},
		{`{"a":1,"a":2}`, "/a", "==", "2", fails},
		{`"fox"`, "", "contains", "ox", holds},
		{`7`, "", "<", "8", holds},
		{`{"\u0061":1}`, "/a", "==", "1", holds},
	} {
		for _, size := range []int{1, 3, 1000} {
			v := show(t, `{"list":[`+c.elem+`]}`, Options{Retain: 100, Keep: []Rule{{Pointer: c.pointer, Op: c.op, Value: c.value}}}, func(int) int { return size })
			s := v.Plan(view.Limit{Bytes: 100}).Scan
			require.EqualValues(t, 1, s.Of)
			require.Equal(t, c.want == holds, s.Matched == 1, "%+v", c)
			require.Equal(t, c.want == cannot, s.Unjudged == 1, "%+v", c)
		}
	}
}

func TestRequiredNamesComeFirst(t *testing.T) {
	var b strings.Builder
	b.WriteString("{")
	for i := range 5000 {
		fmt.Fprintf(&b, `"filler%d":%d,`, i, i)
	}
	b.WriteString(`"results":[1,2,3],"total":3}`)
	p := planOf(t, b.String(), 300, Options{Required: []string{"results", "total"}})
	var got map[string]any
	require.NoError(t, json.Unmarshal([]byte(p.Content), &got))
	require.EqualValues(t, 3, got["total"])
	require.Contains(t, got, "results")
	require.Contains(t, got, "filler0")
}

func TestEndsOfLists(t *testing.T) {
	var items []string
	for i := range 1000 {
		items = append(items, fmt.Sprintf(`{"n":%d}`, i))
	}
	src := "[" + strings.Join(items, ",") + "]"
	require.Equal(t, []view.Range{{Start: 0, End: 23}}, planOf(t, src, 200, Options{}).Units)
	tail := planOf(t, src, 200, Options{Ends: Tail})
	require.Equal(t, []view.Range{{Start: 981, End: 1000}}, tail.Units)
	require.Equal(t, view.Rest{Unit: view.Item, From: 0, To: 981, Bytes: tail.Omissions[0].Bytes}, tail.Rest[0])
	both := planOf(t, src, 200, Options{Ends: HeadAndTail, TailShare: 0.3}).Units
	require.Len(t, both, 2)
	require.Zero(t, both[0].Start)
	require.EqualValues(t, 1000, both[1].End)
	require.Greater(t, both[0].Len(), 2*both[1].Len()-3)
}

func TestTextThatIsNotJSONIsRefused(t *testing.T) {
	for _, src := range []string{"", "{", "[1,2", "NaN", "{'a':1}", "[1] // x", "\xef\xbb\xbf{}", "{} {}", "\"\xff\""} {
		v := New(Options{Retain: 100})
		_, err := v.Write([]byte(src))
		require.NoError(t, err)
		v.End()
		var se *jsonscan.SyntaxError
		require.ErrorAs(t, v.Err(), &se, "%q", src)
		require.EqualValues(t, len(src), v.Total())
	}
}

func TestOptionsThatMakeNoSenseAreRefused(t *testing.T) {
	for _, o := range []Options{{Pointer: "a"}, {Pointer: "/~2"}, {Pointer: "/a~"}, {Unit: view.Line}, {Keep: []Rule{{Pointer: "/a", Op: "=~", Value: "x"}}}, {Keep: []Rule{{Pointer: "a", Op: "==", Value: "x"}}}} {
		v := New(o)
		_, _ = v.Write([]byte("[1]"))
		v.End()
		require.Error(t, v.Err(), "%+v", o)
	}
	for _, at := range []string{"/b", "/a/0/1", "/a/01", "/a/-", "/a/2", "/c/d"} {
		v := New(Options{Pointer: at})
		_, _ = v.Write([]byte(`{"a":[[1],2],"c":"d"}`))
		v.End()
		require.ErrorIs(t, v.Err(), ErrNoValue, at)
	}
}

// Real files: every limit gives a plan that agrees with the source.
func TestCorpusFiles(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/corpus/json-large/*.json")
	if len(files) == 0 {
		t.Skip("no corpus in ../../../shared/corpus/json-large")
	}
	for _, f := range files {
		src, err := os.ReadFile(f)
		require.NoError(t, err)
		if !json.Valid(src) || len(src) > 8<<20 {
			continue
		}
		for _, n := range []int64{100, 2000, 16 << 10} {
			l := view.Limit{Bytes: n}
			p := show(t, string(src), Options{Retain: n}, all).Plan(l)
			checkPlan(t, string(src), p, l, Options{})
		}
	}
}

// A hundred short members of the root come before any element of a list.
func TestScalarsNearTheRootComeFirst(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"items":[` + strings.Repeat(`{"id":1},`, 5000) + `0]`)
	for i := range 100 {
		fmt.Fprintf(&b, `,"setting_%d":"value %d"`, i, i)
	}
	b.WriteString("}")
	p := planOf(t, b.String(), 3000, Options{})
	require.Contains(t, p.Content, `"setting_99":"value 99"}`)
	require.Contains(t, p.Content, `{"items":[{"id":1},{"id":1}`)
	require.Equal(t, "/items", p.Omissions[0].Pointer)
	require.Len(t, p.Omissions, 1)
}

// Lists and strings side by side get alike many bytes.
func TestContainersShareAlike(t *testing.T) {
	src := `{"a":[` + strings.Repeat(`"0123456789",`, 3000) + `0],"b":"` + strings.Repeat("lorem ipsum ", 3000) + `","c":[` + strings.Repeat(`{"n":1},`, 3000) + `0]}`
	p := planOf(t, src, 6000, Options{})
	shown := map[string]int64{}
	for _, o := range p.Omissions {
		shown[o.Pointer] = o.Shown
	}
	require.InDelta(t, 2000, 12*shown["/a"], 400)
	require.InDelta(t, 2000, shown["/b"], 400)
	require.InDelta(t, 2000, 8*shown["/c"], 400)
}

// Indentation stays as it is where what it indents is shown.
func TestIndentationIsKept(t *testing.T) {
	src := "{\n  \"list\": [\n    1,\n    22222,\n    3\n  ],\n  \"end\": true\n}\n"
	require.Equal(t, "{\n  \"list\": [\n    1\n  ],\n  \"end\": true\n}", planOf(t, src, 48, Options{}).Content)
	// All but wide white space is complete, and not exact.
	wide := "[1,2," + strings.Repeat(" ", 5000) + "3]"
	p := planOf(t, wide, 1000, Options{})
	require.Equal(t, "[1,2,3]", p.Content)
	require.True(t, p.Complete)
	require.False(t, p.Exact)
	require.Equal(t, []view.Transform{{Name: "white_space", Count: 1}}, p.Transforms)
	require.Equal(t, []int64{5}, p.Cuts)
}
