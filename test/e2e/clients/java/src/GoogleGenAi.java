import com.google.genai.Client;
import com.google.genai.errors.ApiException;
import com.google.genai.types.Content;
import com.google.genai.types.EmbedContentConfig;
import com.google.genai.types.FunctionDeclaration;
import com.google.genai.types.FunctionResponse;
import com.google.genai.types.GenerateContentConfig;
import com.google.genai.types.GenerateContentResponse;
import com.google.genai.types.HttpOptions;
import com.google.genai.types.HttpRetryOptions;
import com.google.genai.types.ListModelsConfig;
import com.google.genai.types.Part;
import com.google.genai.types.ThinkingConfig;
import com.google.genai.types.Tool;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Google's official package. */
final class GoogleGenAi {
    private static Client clientOf(Place place, String key) {
        var options = HttpOptions.builder()
                .baseUrl(place.url())
                .retryOptions(HttpRetryOptions.builder().attempts(1))
                .build();
        return Client.builder().apiKey(key).httpOptions(options).build();
    }

    private interface Reader {
        List<GenerateContentResponse> read(List<Content> contents, GenerateContentConfig config);
    }

    private static final GenerateContentConfig PLAIN = GenerateContentConfig.builder().build();

    private final Place place;
    private final Client client;

    private GoogleGenAi(Place place) {
        this.place = place;
        this.client = clientOf(place, place.key());
    }

    private List<GenerateContentResponse> ask(List<Content> contents, GenerateContentConfig config) {
        return List.of(client.models.generateContent(place.model(), contents, config));
    }

    private List<GenerateContentResponse> collect(List<Content> contents, GenerateContentConfig config) {
        List<GenerateContentResponse> answers = new ArrayList<>();
        try (var stream = client.models.generateContentStream(place.model(), contents, config)) {
            stream.forEach(answers::add);
        }
        return answers;
    }

    private static List<Content> asking(String name) {
        return List.of(user(Part.fromText(Place.question(name))));
    }

    private static Content user(Part... parts) {
        return Content.builder().role("user").parts(parts).build();
    }

    private static List<Part> parts(List<GenerateContentResponse> answers) {
        return answers.stream()
                .flatMap(answer -> answer.candidates().orElse(List.of()).stream())
                .flatMap(candidate -> candidate.content().stream())
                .flatMap(content -> content.parts().orElse(List.of()).stream())
                .toList();
    }

    private static String said(List<GenerateContentResponse> answers, boolean isThought) {
        return parts(answers).stream()
                .filter(part -> part.thought().orElse(false) == isThought)
                .flatMap(part -> part.text().stream())
                .collect(Collectors.joining());
    }

    private static Place.Tokens usage(List<GenerateContentResponse> answers) {
        var usage = answers.get(answers.size() - 1).usageMetadata().orElseThrow();
        long output = usage.candidatesTokenCount().orElse(0) + usage.thoughtsTokenCount().orElse(0);
        return new Place.Tokens(usage.promptTokenCount().orElseThrow(), output);
    }

    private Runner.Scenario chat(String name, Reader reader) {
        return () -> {
            var answers = reader.read(asking(name), PLAIN);
            Place.same(said(answers, false), Place.ANSWER, "answer");
            Place.same(said(answers, true), "", "thoughts nobody asked for");
            var last = answers.get(answers.size() - 1).candidates().orElseThrow().get(0);
            Place.same(last.finishReason().orElseThrow().toString(), "STOP", "finish reason");
            return usage(answers);
        };
    }

    private static FunctionDeclaration function(String name, Map<String, Object> schema) {
        return FunctionDeclaration.builder().name(name).description(name).parametersJsonSchema(schema).build();
    }

    private Runner.Scenario tools(String name, Reader reader) {
        return () -> {
            var tool = Tool.builder()
                    .functionDeclarations(
                            function("lookup", Place.LOOKUP_SCHEMA), function("now", Place.NO_ARGUMENTS))
                    .build();
            var config = GenerateContentConfig.builder().tools(tool).build();
            var first = parts(reader.read(asking(name), config));
            List<Place.Call> calls = new ArrayList<>();
            List<Part> results = new ArrayList<>();
            for (var part : first) {
                part.functionCall().ifPresent(call -> {
                    calls.add(new Place.Call(
                            call.name().orElseThrow(), Place.JSON.valueToTree(call.args().orElse(Map.of()))));
                    var result = FunctionResponse.builder()
                            .name(call.name().orElseThrow())
                            .response(Map.of("result", Place.TOOL_RESULT));
                    call.id().ifPresent(result::id);
                    results.add(Part.builder().functionResponse(result.build()).build());
                });
            }
            Place.same(calls, Place.callsOf(name), "calls");
            List<Content> contents = new ArrayList<>(asking(name));
            contents.add(Content.builder().role("model").parts(first).build());
            contents.add(Content.builder().role("user").parts(results).build());
            var last = reader.read(contents, config);
            Place.same(said(last, false), Place.ANSWER, "answer");
            return usage(last);
        };
    }

    /** The package's own conversation, which keeps the pieces of a stream. */
    private Place.Tokens conversation() {
        var chat = client.chats.create(place.model());
        List<String> questions = List.of(Place.question("long-history"), "Question 1?", "Question 2?");
        for (int at = 0; at < questions.size(); at++) {
            List<GenerateContentResponse> answers = new ArrayList<>();
            try (var stream = chat.sendMessageStream(questions.get(at))) {
                stream.forEach(answers::add);
            }
            Place.same(said(answers, false), "Answer " + at + ".", "answer");
        }
        return null;
    }

    private Place.Tokens structured() {
        var config = GenerateContentConfig.builder()
                .responseMimeType("application/json")
                .responseJsonSchema(Place.FORM_SCHEMA)
                .build();
        Place.same(Place.parsed(said(ask(asking("structured"), config), false)), Place.FORM, "form");
        return null;
    }

    private Runner.Scenario withBytes(String name, String kind, String base64, String words) {
        return () -> {
            var part = Part.fromBytes(Base64.getDecoder().decode(base64), kind);
            var contents = List.of(user(part, Part.fromText(Place.question(name))));
            Place.same(said(ask(contents, PLAIN), false), words, "answer");
            return null;
        };
    }

    private Runner.Scenario reasoning(String name, Reader reader) {
        return () -> {
            var config = GenerateContentConfig.builder()
                    .thinkingConfig(ThinkingConfig.builder().includeThoughts(true))
                    .build();
            var answers = reader.read(asking(name), config);
            Place.same(said(answers, false), Place.ANSWER, "answer");
            if (place.tellsThoughts()) Place.same(said(answers, true), Place.THOUGHT, "thought");
            return usage(answers);
        };
    }

    private Runner.Scenario citations(String name, Reader reader) {
        return () -> {
            var answers = reader.read(asking(name), PLAIN);
            Place.same(said(answers, false), Place.ANSWER, "answer");
            var isNamed = answers.stream()
                    .flatMap(answer -> answer.candidates().orElse(List.of()).stream())
                    .flatMap(candidate -> candidate.groundingMetadata().stream())
                    .flatMap(grounding -> grounding.groundingChunks().orElse(List.of()).stream())
                    .anyMatch(page -> page.web().orElseThrow().uri().orElse("").equals(Place.SOURCE));
            Place.holds(isNamed, "no sources");
            return null;
        };
    }

    private Place.Tokens longHistory() {
        var contents = Place.history().stream()
                .map(turn -> Content.builder()
                        .role(turn.isUser() ? "user" : "model")
                        .parts(Part.fromText(turn.text()))
                        .build())
                .toList();
        Place.same(said(ask(contents, PLAIN), false), Place.ANSWER, "answer");
        return null;
    }

    private Runner.Scenario failing(String model, String name, int code, String status, String words) {
        return () -> {
            var error = Place.raised(
                    ApiException.class, () -> client.models.generateContent(model, asking(name), PLAIN));
            Place.same(error.code() + " " + error.status(), code + " " + status, "error");
            Place.holds(error.message().contains(words), "the message is " + error.message());
            return null;
        };
    }

    static Map<String, Runner.Scenario> scenarios(Place place) {
        var own = new GoogleGenAi(place);
        Map<String, Runner.Scenario> all = new LinkedHashMap<>();
        all.put("chat", own.chat("chat", own::ask));
        all.put("stream", own.chat("stream", own::collect));
        all.put("tools", own.tools("tools", own::ask));
        all.put("tools-streamed", own.tools("tools-streamed", own::collect));
        all.put("parallel-tools", own.tools("parallel-tools", own::ask));
        all.put("parallel-tools-streamed", own.tools("parallel-tools-streamed", own::collect));
        all.put("conversation", own::conversation);
        all.put("structured", own::structured);
        all.put("picture", own.withBytes("picture", "image/png", Place.PICTURE, "I see 1 picture."));
        all.put("file", own.withBytes("file", "application/pdf", Place.PDF, "I read 1 file."));
        all.put("reasoning", own.reasoning("reasoning", own::ask));
        all.put("reasoning-streamed", own.reasoning("reasoning-streamed", own::collect));
        all.put("citations", own.citations("citations", own::ask));
        all.put("citations-streamed", own.citations("citations-streamed", own::collect));
        all.put("long-history", own::longHistory);
        all.put("rate-limited", own.failing(place.model(), "rate-limited", 429, "RESOURCE_EXHAUSTED", ""));
        all.put("too-long", own.failing(
                place.model(), "too-long", 400, "INVALID_ARGUMENT", "exceeds the maximum number of tokens"));
        all.put("overloaded", own.failing(place.model(), "overloaded", 503, "UNAVAILABLE", ""));
        all.put("cut", () -> {
            Place.raised(Exception.class, () -> own.collect(asking("cut"), PLAIN));
            return null;
        });
        all.put("unauthorized", () -> {
            var other = clientOf(place, Place.UNKNOWN_KEY);
            var error = Place.raised(
                    ApiException.class, () -> other.models.list(ListModelsConfig.builder().build()));
            Place.same(error.code() + " " + error.status(), "401 UNAUTHENTICATED", "error");
            return null;
        });
        all.put("unknown-model", own.failing(Place.NO_MODEL, "chat", 404, "NOT_FOUND", ""));
        all.put("models", () -> {
            boolean isListed = false;
            for (var model : own.client.models.list(ListModelsConfig.builder().build()))
                isListed = isListed || model.name().orElse("").equals("models/" + place.model());
            Place.holds(isListed, "the model is not listed");
            return null;
        });
        all.put("embeddings", () -> {
            var answer = own.client.models.embedContent(
                    place.model(), List.of("one", "two"), EmbedContentConfig.builder().build());
            var lengths = answer.embeddings().orElseThrow().stream()
                    .map(one -> one.values().orElseThrow().size())
                    .toList();
            Place.same(lengths, List.of(3, 3), "vectors");
            return null;
        });
        return all;
    }
}
