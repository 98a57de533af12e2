package source

import "strings"

// grammar says which nodes of a language's trees define names. All are sets of kinds of nodes.
type grammar struct {
	names       map[string]string // kinds that define names, with the field that holds them
	imports     map[string]bool
	functions   map[string]bool // names within are not seen outside
	classes     map[string]bool // names within are members
	wrappers    map[string]bool // a definition within begins where they do: decorators, export, template<…>
	identifiers map[string]bool
	opaque      map[string]bool // parts of a field that introduce no names
	assigning   map[string]bool // kinds that define names only if one of these tokens is their child
	bodies      map[string]bool // kinds that define names only with a body
}

func set(words string) map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		all[word] = true
	}
	return all
}

func fields(words string) map[string]string {
	all := map[string]string{}
	for word := range strings.FieldsSeq(words) {
		kind, field, _ := strings.Cut(word, ":")
		all[kind] = field
	}
	return all
}

var native = grammar{
	names: fields("function_definition:declarator declaration:declarator init_declarator:declarator struct_specifier:name class_specifier:name " +
		"union_specifier:name enum_specifier:name type_definition:declarator alias_declaration:name preproc_def:name preproc_function_def:name"),
	imports:     set("preproc_include"),
	functions:   set("function_definition lambda_expression"),
	classes:     set("struct_specifier class_specifier union_specifier"),
	wrappers:    set("template_declaration"),
	identifiers: set("identifier field_identifier type_identifier"),
	opaque:      set("parameter_list lambda_expression initializer_list"),
	bodies:      set("struct_specifier class_specifier union_specifier enum_specifier"),
}

var grammars = map[string]grammar{
	"python": {
		names:       fields("function_definition:name class_definition:name assignment:left for_statement:left named_expression:name as_pattern:alias"),
		imports:     set("import_statement import_from_statement future_import_statement"),
		functions:   set("function_definition lambda"),
		classes:     set("class_definition"),
		wrappers:    set("decorated_definition"),
		identifiers: set("identifier"),
		opaque:      set("attribute subscript call"),
	},
	"javascript": {
		names: fields("function_declaration:name generator_function_declaration:name class_declaration:name variable_declarator:name " +
			"method_definition:name assignment_expression:left"),
		imports:     set("import_statement"),
		functions:   set("function_declaration generator_function_declaration function_expression arrow_function method_definition"),
		classes:     set("class_declaration class"),
		wrappers:    set("export_statement lexical_declaration variable_declaration"),
		identifiers: set("identifier property_identifier shorthand_property_identifier_pattern"),
		opaque:      set("member_expression subscript_expression"),
	},
	"go": {
		names:       fields("function_declaration:name method_declaration:name type_spec:name var_spec:name const_spec:name"),
		imports:     set("import_declaration package_clause"),
		functions:   set("function_declaration method_declaration func_literal"),
		wrappers:    set("type_declaration var_declaration const_declaration"),
		identifiers: set("identifier field_identifier type_identifier"),
	},
	"java": {
		names: fields("class_declaration:name interface_declaration:name enum_declaration:name record_declaration:name " +
			"annotation_type_declaration:name method_declaration:name variable_declarator:name"),
		imports:     set("import_declaration package_declaration"),
		functions:   set("method_declaration constructor_declaration lambda_expression static_initializer block"),
		classes:     set("class_declaration interface_declaration enum_declaration record_declaration"),
		identifiers: set("identifier"),
	},
	"c":   native,
	"cpp": native,
	"r": {
		names:       fields("binary_operator:lhs"),
		functions:   set("function_definition"),
		identifiers: set("identifier"),
		opaque:      set("call extract_operator subset subset2"),
		assigning:   set("<- = <<- :="),
	},
	"bash": {
		names:       fields("function_definition:name variable_assignment:name"),
		functions:   set("function_definition"),
		identifiers: set("word variable_name"),
	},
}

// signs are kinds of nodes that prose does not consist of, even where it parses.
var signs = map[string]map[string]bool{
	"python": set("call import_statement import_from_statement future_import_statement function_definition class_definition for_statement while_statement " +
		"if_statement return_statement with_statement try_statement match_statement augmented_assignment print_statement lambda"),
	"javascript": set("call_expression import_statement export_statement function_declaration class_declaration lexical_declaration variable_declaration " +
		"assignment_expression for_statement for_in_statement while_statement if_statement arrow_function return_statement"),
	"go":   set("call_expression import_declaration function_declaration method_declaration type_declaration"),
	"java": set("method_invocation import_declaration class_declaration record_declaration interface_declaration method_declaration local_variable_declaration"),
	"c":    set("preproc_include function_definition call_expression"),
	"cpp":  set("preproc_include function_definition call_expression class_specifier"),
	"r":    set("call function_definition for_statement while_statement"),
	"bash": set("variable_assignment simple_expansion expansion command_substitution pipeline for_statement while_statement if_statement " +
		"case_statement function_definition arithmetic_expansion test_command declaration_command"),
}

// shellCommands are the commands with which a script may consist of words alone.
var shellCommands = set("awk bash bc cat cd cut echo exec exit expr factor grep head mapfile paste printf read rev sed seq set sh shift sort tac tail tee test tr true uniq wc xargs")
